// Bundles src/main.js with everything it imports into one script and one style sheet.
// Usage: node build.mjs FOLDER_WITH_NODE_MODULES OUTPUT_FOLDER
import {mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync} from "node:fs";
import {createRequire} from "node:module";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";

const [work, out] = process.argv.slice(2);
const {build} = createRequire(join(work, "package.json"))("esbuild");

/** The licence texts of the packages whose files were bundled: they travel with every page. */
function licences(inputs) {
  const packages = new Set();
  for (const path of Object.keys(inputs)) {
    const found = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(path);
    if (found) packages.add(found[1]);
  }
  const texts = new Map();
  for (const folder of [...packages].sort()) {
    const {name, version, license} = JSON.parse(readFileSync(join(work, folder, "package.json"), "utf8"));
    const file = readdirSync(join(work, folder)).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file ? readFileSync(join(work, folder, file), "utf8").trim() : `Licence: ${license}`;
    texts.set(text, [...(texts.get(text) ?? []), `${name} ${version}`]);
  }
  const parts = [...texts].map(([text, names]) => `${names.join(", ")}\n\n${text}`);
  return `\n/*\nThis script contains:\n\n${parts.join("\n\n---\n\n").replaceAll("*/", "* /")}\n*/\n`;
}

const result = await build({
  entryPoints: [join(dirname(fileURLToPath(import.meta.url)), "src/main.js")],
  absWorkingDir: work,
  nodePaths: [join(work, "node_modules")],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2020",
  charset: "utf8",
  legalComments: "none",
  metafile: true,
  write: false,
  outfile: "report.js",
});
mkdirSync(out, {recursive: true});
for (const file of result.outputFiles) {
  const name = file.path.endsWith(".css") ? "report.css" : "report.js";
  const text = name === "report.js" ? file.text + licences(result.metafile.inputs) : file.text;
  writeFileSync(join(out, `.${name}`), text.replaceAll("</script", "<\\/script"));
  renameSync(join(out, `.${name}`), join(out, name));
}

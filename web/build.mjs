// Bundles src/main.js with everything it imports into one script and one style sheet.
// Usage: node build.mjs FOLDER_WITH_NODE_MODULES OUTPUT_FOLDER
import {mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync} from "node:fs";
import {createRequire} from "node:module";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";

const [work, out] = process.argv.slice(2);
const {build} = createRequire(join(work, "package.json"))("esbuild");

const packageOf = (path) => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)(?:\/|$)/.exec(path)?.[1];

/**
 * The licence texts of all packages that the page may hold: those of the lock file that are no tools. Some come with
 * parts of others inside their own files, so that what was bundled does not tell all.
 */
function licences(inputs) {
  const {packages} = JSON.parse(readFileSync(join(work, "package-lock.json"), "utf8"));
  const shipped = Object.keys(packages).filter((path) => path !== "" && !packages[path].dev);
  const names = new Set(shipped.map(packageOf));
  const unknown = Object.keys(inputs).map(packageOf).find((name) => name && !names.has(name));
  if (unknown) throw new Error(`${unknown} is bundled, and is a tool only by package-lock.json`);
  const texts = new Map();
  for (const folder of shipped.sort()) {
    const {name, version, license} = JSON.parse(readFileSync(join(work, folder, "package.json"), "utf8"));
    const file = readdirSync(join(work, folder)).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file ? readFileSync(join(work, folder, file), "utf8").trim() : `Licence: ${license}`;
    texts.set(text, [...(texts.get(text) ?? []), `${name} ${version}`]);
  }
  return [...texts].map(([text, of]) => `${of.join(", ")}\n\n${text}`).join("\n\n---\n\n");
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
function write(name, text) {
  writeFileSync(join(out, `.${name}`), text);
  renameSync(join(out, `.${name}`), join(out, name));
}
const texts = licences(result.metafile.inputs);
write("LICENSES.txt", `What the script of a page of dshn report contains, report.js:\n\n${texts}\n`);
for (const file of result.outputFiles) {
  const name = file.path.endsWith(".css") ? "report.css" : "report.js";
  // The texts travel with every page.
  const own = name === "report.js" ? `\n/*\nThis script contains:\n\n${texts.replaceAll("*/", "* /")}\n*/\n` : "";
  write(name, (file.text + own).replaceAll("</script", "<\\/script"));
}

// Debian's Chromium, driven by playwright-core from the build folder's packages.
import {existsSync} from "node:fs";
import {createRequire} from "node:module";
import {join} from "node:path";
import {pathToFileURL} from "node:url";

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The browser's program, or undefined where there is none. */
export function chromiumPath() {
  return [
    process.env.CHROMIUM,
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
  ].find((path) => path && existsSync(path));
}

/** @param {string} packages the folder with node_modules */
export function launch(packages) {
  const {chromium} = createRequire(join(packages, "package.json"))("playwright-core");
  return chromium.launch({executablePath: chromiumPath(), headless: true, args: flags});
}

/** Opens a page from a file; `complaints` collects console errors and every request that leaves the file. */
export async function openFile(browser, file, options = {}) {
  const context = await browser.newContext({viewport: {width: 1280, height: 900}, ...options});
  const page = await context.newPage();
  const complaints = [];
  const url = pathToFileURL(file).href;
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (request.url() !== url && !request.url().startsWith("data:"))
      complaints.push(`request: ${request.url()}`);
  });
  await page.goto(url);
  await page.waitForSelector("html[data-ready=yes]");
  return {page, complaints, close: () => context.close()};
}

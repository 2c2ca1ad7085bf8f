// Pictures of a report for the documents.
// Usage: node screenshots.mjs FOLDER_WITH_NODE_MODULES REPORT.html OUTPUT_FOLDER
import {join} from "node:path";
import {launch, openFile} from "./browser.mjs";

const [packages, report, out] = process.argv.slice(2);
const browser = await launch(packages);

async function picture(name, options, prepare) {
  const {page, complaints, close} = await openFile(browser, report, options);
  await prepare(page);
  await page.waitForTimeout(400);
  await page.screenshot({path: join(out, name), fullPage: false});
  if (complaints.length > 0) throw new Error(complaints.join("\n"));
  await close();
}

const to = (id) => (page) =>
  page.evaluate((target) => document.getElementById(target).scrollIntoView({behavior: "instant"}), id);
const tall = {width: 1240, height: 1560};
await picture("report-light.png", {viewport: tall, colorScheme: "light"}, async () => {});
await picture("report-dark.png", {viewport: tall, colorScheme: "dark"}, to("representations"));
await picture(
  "report-hyperedge.png",
  {viewport: {width: 1240, height: 800}, colorScheme: "light"},
  async (page) => {
    await page.click("#hypergraph button:text-is('Next with a mistake')");
    await to("hypergraph")(page);
  },
);
await picture(
  "report-phone.png",
  {viewport: {width: 390, height: 1100}, colorScheme: "light", isMobile: true, hasTouch: true},
  to("curves"),
);
await browser.close();

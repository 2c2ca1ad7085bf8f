// Pictures of reports for the documents.
// Usage: node screenshots.mjs FOLDER_WITH_NODE_MODULES FOLDER_WITH_REPORTS OUTPUT_FOLDER
import {join} from "node:path";
import {launch, openFile} from "./browser.mjs";

const [packages, reports, out] = process.argv.slice(2);
const browser = await launch(packages);

async function picture(name, report, options, prepare) {
  const {page, complaints, close} = await openFile(browser, join(reports, report), options);
  await prepare(page);
  await page.waitForTimeout(600);
  await page.screenshot({path: join(out, name), fullPage: false});
  if (complaints.length > 0) throw new Error(complaints.join("\n"));
  await close();
}

const to = (id) => (page) =>
  page.evaluate((target) => document.getElementById(target).scrollIntoView({behavior: "instant"}), id);
const tall = {width: 1240, height: 1560};
const wide = {width: 1240, height: 1000};
await picture("report-light.png", "report.html", {viewport: tall, colorScheme: "light"}, async () => {});
await picture("report-dark.png", "report.html", {viewport: tall, colorScheme: "dark"}, to("representations"));
await picture("report-study.png", "report.html", {viewport: wide, colorScheme: "light"}, to("studies"));
await picture("report-hypergraph.png", "words.html", {viewport: wide, colorScheme: "light"}, async (page) => {
  await to("hypergraph")(page);
  await page.waitForSelector("#hypergraph .overview[data-drawn=items]");
  await page.click("#hypergraph button:text-is('Next with a mistake')");
  await to("hypergraph")(page);
});
await picture(
  "report-phone.png",
  "report.html",
  {viewport: {width: 390, height: 700}, colorScheme: "light", isMobile: true, hasTouch: true},
  async (page) => {
    await page.locator("#curves .ticks input").nth(2).check();
    await to("curves")(page);
  },
);
await browser.close();

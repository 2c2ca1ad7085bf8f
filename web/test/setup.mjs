// What the tests of the page share: runs in a folder that is removed in the end, and a browser.
// tests/report/browser says where everything is: DSHN (the program), DSHN_WEB (the folder with node_modules).
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {after, before} from "node:test";
import {launch, openFile} from "./browser.mjs";

const folder = mkdtempSync(join(tmpdir(), "dshn-report-"));
let browser;

/** A path in the folder of these tests. */
export const at = (name) => join(folder, name);

/** What the program prints; an error where it fails. */
export const dshn = (...words) =>
  execFileSync(process.env.DSHN, words, {encoding: "utf8", stdio: ["ignore", "pipe", "pipe"]});

/** A short training; words are options, or flags where they begin with --. */
export function train(name, data, ...set) {
  dshn(
    "train",
    "--data",
    data,
    "--device",
    "cpu",
    "--out",
    at(name),
    "--quiet",
    ...set.flatMap((word) => (word.startsWith("--") ? word.split(" ") : ["--set", word])),
  );
}

/** Makes what the tests of a file look at, once, and the browser to look with. */
export function prepare(make) {
  before(async () => {
    make();
    browser = await launch(process.env.DSHN_WEB);
  });
  after(async () => {
    await browser?.close();
    rmSync(folder, {recursive: true, force: true});
  });
}

/** Opens a page, runs the body, and expects neither console errors nor requests. */
export async function visit(options, body) {
  const {page, complaints, close} = await openFile(browser, at(options.file ?? "report.html"), options);
  await body(page);
  assert.deepEqual(complaints, []);
  await close();
}

// A figure may be named by a chain of selectors ("#curves figure >> nth=0"), behind which no other can be
// written: what is inside has a locator of its own.

/** The words for a chart. */
export const words = (page, chart) =>
  page.locator(chart).locator("svg[role=img]").first().getAttribute("aria-label");

/** The numbers at the ticks of an axis. */
export async function ticks(page, chart, axis) {
  const texts = page.locator(chart).locator(`svg[role=img] g[aria-label^="${axis}-axis tick label"] text`);
  return (await texts.allTextContents()).map((text) => Number(text.replace("−", "-")));
}

/** Opens the table behind a chart and gives its rows. */
export async function tableBehind(page, figure) {
  const inside = (selector) => page.locator(figure).locator(`details ${selector}`);
  await inside("summary").first().click();
  await inside("td").first().waitFor();
  const rows = await inside("tbody tr").all();
  return Promise.all(rows.map((row) => row.locator("td").allTextContents()));
}

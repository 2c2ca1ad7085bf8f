// Runs that predict numbers or several labels, in a real browser.
import assert from "node:assert/strict";
import {writeFileSync} from "node:fs";
import {test} from "node:test";
import {writeDeals} from "./dataset.mjs";
import {at, dshn, prepare, tableBehind, train, visit, words} from "./setup.mjs";

const companies = Array.from({length: 60}, (_, v) => v);
const table = (name, header, row) =>
  writeFileSync(at(name), [header, ...companies.map((v) => `company ${v},${row(v)}`)].join("\n"));

prepare(() => {
  writeDeals(at("deals"));
  table("prices.csv", "id,price", (v) => (v % 6 === 5 ? "" : 1000 + 100 * Math.floor(v / 20)));
  table("tags.csv", "id,label", (v) => (v < 20 ? "early" : v < 40 ? "early;middle" : ";"));
  const short = ["--splits 2", "d=1", "layers=1", "hidden_width=8", "epochs=30"];
  train("numbers", at("deals"), `--labels ${at("prices.csv")}`, "--target numbers", ...short);
  train("labels", at("deals"), `--labels ${at("tags.csv")}`, "--target labels", ...short);
  dshn("report", at("numbers"), at("labels"), "--explain", "company 3", "--out", at("report.html"));
});

test("numbers are drawn against what was predicted, and their errors are no per cents", async () => {
  await visit({}, async (page) => {
    await page.waitForSelector("#predictions figure svg");
    assert.match(await words(page, "#predictions figure"), /Scatter plot of 50 items, true number against/);
    const points = await tableBehind(page, "#predictions figure");
    assert.equal(points.length, 50);
    assert.ok(points.every(([, , truth]) => [1000, 1100, 1200].includes(Number(truth))));
    const errors = await page.locator("#predictions .card tbody tr").first().locator("td").allTextContents();
    const [, r2, rmse, mae] = errors.map(Number);
    assert.ok(r2 <= 1 && rmse >= mae && mae > 0, String(errors));
    const heads = await page.locator("#leaderboard table").first().locator("th").allTextContents();
    assert.ok(heads.includes("Test") && !heads.includes("Test %"), String(heads));
    assert.doesNotMatch(await page.locator("#run .tiles").textContent(), /%/);
    assert.match(await page.locator("#curves").textContent(), /Mean squared error of standardised numbers/);
    assert.match(await page.locator("#hypergraph").textContent(), /this run predicts numbers/);
    assert.match(await page.locator("#explanations").textContent(), /is predicted; its true number is 1000/);
  });
});

test("each label has its precision, recall and F1", async () => {
  await visit({}, async (page) => {
    await page.getByLabel("Run", {exact: true}).selectOption("1");
    await page.waitForSelector("#predictions figure svg");
    assert.match(await words(page, "#predictions figure"), /early: precision [\d.]+.*middle: precision/);
    const rows = await tableBehind(page, "#predictions figure");
    assert.deepEqual(
      rows.map(([name]) => name),
      ["early", "middle"],
    );
    assert.match(await page.locator("#run .tiles").textContent(), /%/);
    assert.match(await page.locator("#explanations").textContent(), /Label (early|middle) with probability/);
  });
});

// Studies of dshn tune in a real browser, alone and beside a run.
import assert from "node:assert/strict";
import {rmSync} from "node:fs";
import {test} from "node:test";
import {at, dshn, prepare, tableBehind, train, visit, words} from "./setup.mjs";

prepare(() => {
  const data = ["--data", "synthetic-generated-io10"];
  dshn(
    "tune",
    ...data,
    ...["--model", "dshn", "--device", "cpu", "--out", at("study"), "--trials", "8", "--splits", "1"],
    ...[
      "--set",
      "epochs=3",
      "--set",
      "d=1",
      "--set",
      "hidden_width=8",
      "--set",
      "layers=1",
      "--final-splits",
      "1",
    ],
    ...["--space", "q=0,0.25", "--space", "lr=0.001,0.01,0.1", "--sampler", "random", "--quiet"],
  );
  train("run", data[1], "--model hgnn", "--splits 1", "epochs=3");
  dshn("report", at("study"), at("run"), "--out", at("report.html"));
});

test("a study has its leaderboard, its best trial and its charts", async () => {
  await visit({}, async (page) => {
    assert.match(await page.textContent("#studies h3"), /study: DSHN on synthetic-generated-io10/);
    assert.match(await page.innerText("#studies .summary"), /Best validation\s+[\d.]+ ± [\d.]+ %/);
    assert.match(await page.innerText("#studies .summary"), /Test of the winner\s+[\d.]+/);
    const trials = page.locator("#studies .card tbody tr");
    assert.equal(await trials.count(), 8);
    assert.match(await trials.first().textContent(), /★completed/);
    assert.match(
      await words(page, "#studies figure"),
      /Validation of 8 trials; the best of 8 completed trials/,
    );
    const values = (await tableBehind(page, "#studies figure >> nth=0")).map(([, , value]) => Number(value));
    assert.equal(values.length, 8);
    const best = (await page.textContent("#studies .tile dd")).match(/[\d.]+/)[0];
    assert.equal(best, Math.max(...values).toFixed(2));
  });
});

test("options are looked at one by one and all together", async () => {
  await visit({}, async (page) => {
    await page.selectOption("#studies .controls select", "lr");
    const slice = page.locator("#studies figure:has(h3:text-is('lr: validation by value'))");
    await slice.locator("svg[role=img]").waitFor();
    assert.match(
      await slice.locator("svg[role=img]").getAttribute("aria-label"),
      /0\.\d+: [\d.]+ % in \d+ trial/,
    );
    const all = page.locator("#studies figure:has(h3:text-is('Options of all completed trials'))");
    assert.equal(await all.locator("g[aria-label=line] path").count(), 8);
    await all.locator("summary").click();
    await all.locator("td").first().waitFor();
    const heads = await all.locator("thead th").allTextContents();
    assert.ok(heads.includes("q") && heads.includes("lr"), String(heads));
  });
});

test("runs and studies share a page", async () => {
  await visit({}, async (page) => {
    assert.match(await page.textContent("header .note"), /1 run · 1 study · 1 data set/);
    assert.equal(await page.locator("#leaderboard tbody tr").count(), 1);
    await page.waitForSelector("#curves figure svg");
  });
});

test("a study alone, from its database and from its summary", async () => {
  const pages = ["database", "summary"].map((name, i) => {
    rmSync(at(i === 0 ? "study/study.json" : "nothing"), {force: true});
    if (i === 1) dshn("tune", "--resume", "--out", at("study"), "--quiet"); // writes the summary again
    if (i === 1) rmSync(at("study/study.sqlite"));
    dshn("report", at("study"), "--out", at(`${name}.html`));
    return `${name}.html`;
  });
  for (const file of pages) {
    await visit({file, viewport: {width: 390, height: 844}, isMobile: true, hasTouch: true}, async (page) => {
      assert.equal(await page.locator("#studies .card tbody tr").count(), 8);
      assert.equal(await page.locator("#leaderboard, #curves, #results").count(), 0);
      await page.waitForSelector("#studies figure svg");
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    });
  }
});

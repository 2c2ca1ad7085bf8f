// Own data in a real browser: classes with words, some of them unknown, and large hyperedges.
import assert from "node:assert/strict";
import {test} from "node:test";
import {classNames, writeDeals} from "./dataset.mjs";
import {at, dshn, prepare, tableBehind, train, visit, words} from "./setup.mjs";

prepare(() => {
  writeDeals(at("deals"));
  train("run", at("deals"), "--splits 1", "d=1", "layers=1", "hidden_width=8", "epochs=30");
  dshn("report", at("run"), "--out", at("report.html"));
});

const onlyWords = (texts) => texts.every((text) => classNames.includes(text));

test("classes are called by their words", async () => {
  await visit({}, async (page) => {
    await page.waitForSelector("#classes figure svg");
    const confusion = await tableBehind(page, "#classes figure >> nth=0");
    assert.deepEqual(
      confusion.map(([name]) => name),
      classNames,
    );
    const heads = await page.locator("#classes figure >> nth=0").locator("thead th").allTextContents();
    assert.deepEqual(heads.slice(1), classNames);
    const perClass = await tableBehind(page, "#classes figure >> nth=1");
    assert.deepEqual(
      perClass.map(([name]) => name),
      classNames,
    );
    assert.match(await words(page, "#classes figure:last-child"), /car dealer: precision [\d.]+/);
    const legend = await page.locator("#representations .legend li").allTextContents();
    assert.ok(onlyWords(legend.slice(0, -2)), String(legend));
    assert.equal(await page.locator("main b:text('company')").count(), 0, "a word is no markup");
  });
});

test("an unknown class is never wrong and never a number", async () => {
  await visit({}, async (page) => {
    await page.waitForSelector("#representations figure svg");
    assert.match(
      await words(page, "#representations figure"),
      /60 nodes in 3 classes: \d+ are classified correctly, \d+ wrongly, and of 20 the class is unknown/,
    );
    const points = await tableBehind(page, "#representations figure");
    const unknown = points.filter(([, , label]) => label === "unknown");
    assert.equal(unknown.length, 20);
    assert.ok(onlyWords(unknown.map(([, , , predicted]) => predicted)));
    // All of them can be seen, as rings, and alone.
    await page.selectOption("#representations select", "unknown");
    await page.waitForFunction(() =>
      /of 20 nodes/.test(document.querySelector("#representations svg[role=img]")?.ariaLabel),
    );
    const rings = page.locator("#representations svg[role=img] circle[stroke]");
    assert.equal(await rings.count(), 20);
    for (const ring of await rings.all())
      assert.match(await ring.evaluate((circle) => getComputedStyle(circle).stroke), /^rgb/);
    assert.doesNotMatch(await page.innerText("main"), /(^|\s)-1(\s|$)|class -1/);
  });
});

test("a member of unknown class is neither correct nor wrong", async () => {
  await visit({}, async (page) => {
    const card = page.locator("#hypergraph .card").last();
    await page.fill("#hypergraph input", "all");
    await page.keyboard.press("Enter");
    await card.locator("h3:text-is('Hyperedge all')").waitFor();
    assert.match(
      await card.locator(".note").textContent(),
      /41 members; \d+ predicted correctly, \d+ wrongly, 14 of unknown class/,
    );
    const rows = await Promise.all(
      (await card.locator("tbody tr").all()).map((row) => row.locator("td").allTextContents()),
    );
    for (const [, , label, predicted, , verdict] of rows) {
      assert.equal(verdict, label === "unknown" ? "unknown" : label === predicted ? "correct" : "wrong");
      assert.ok(onlyWords([predicted]));
    }
  });
});

/** Whether what is written beside the members lies apart and inside the picture, at its full size. */
const readable = () => {
  const {cy} = document.querySelector("#hypergraph .card:last-child .network")._cyreg;
  const boxes = cy
    .nodes()
    .map((node) => node.renderedBoundingBox({includeOverlays: false, includeEdges: false}));
  const inside = boxes.every(
    (box) => box.x1 >= -2 && box.x2 <= cy.width() + 2 && box.y1 >= -2 && box.y2 <= cy.height() + 2,
  );
  const meet = (a, b) => a.x1 < b.x2 - 2 && b.x1 < a.x2 - 2 && a.y1 < b.y2 - 3 && b.y1 < a.y2 - 3;
  const pairs = boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => meet(a, b)));
  return {members: boxes.length - 1, zoom: cy.zoom(), inside, overlaps: pairs.length};
};

test("40 members can be read, on a phone too", async () => {
  for (const width of [1280, 700, 390]) {
    await visit({viewport: {width, height: 900}}, async (page) => {
      for (const name of ["many", "all"]) {
        await page.fill("#hypergraph input", name);
        await page.keyboard.press("Enter");
        await page.locator(`#hypergraph h3:text-is('Hyperedge ${name}')`).waitFor();
        assert.deepEqual(
          await page.evaluate(readable),
          {members: 40, zoom: 1, inside: true, overlaps: 0},
          `${name} at ${width}`,
        );
      }
    });
  }
});

test("own data stand beside no paper", async () => {
  await visit({}, async (page) => {
    assert.doesNotMatch(await page.innerText("main"), /paper/i);
    assert.equal(await page.textContent("#leaderboard h3"), "deals");
  });
});

test("the whole hypergraph shows the unknown ones", async () => {
  await visit({}, async (page) => {
    await page.locator("#hypergraph .overview").scrollIntoViewIfNeeded();
    await page.waitForSelector("#hypergraph .overview[data-drawn=items]");
    assert.match(
      await page.getAttribute("#hypergraph .overview", "aria-label"),
      /60 nodes.*car dealer 14, bank 13, shell <b>company<\/b> 13, unknown 20/,
    );
    const rings = await page.evaluate(
      () => document.querySelector("#hypergraph .overview")._cyreg.cy.nodes(".unknown").length,
    );
    assert.equal(rings, 20);
  });
});

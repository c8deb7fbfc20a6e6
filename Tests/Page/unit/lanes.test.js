// Where operations of a membership lane stand in its graph.

import assert from "node:assert/strict";
import { inCausalOrder, layOut, pasts, without } from "../../../Sources/CPage/assets/lanes.js";

/** @param {string} id @param {...string} parents */
const operation = (id, ...parents) => ({ id, parents });

/** Operations with random parents among those before them. @param {number} seed */
function randomLane(seed) {
  let state = seed;
  const next = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
  const lane = [operation("0")];
  for (let at = 1; at < 40; at++) {
    const parents = new Set([String(Math.floor(next() * at))]);
    while (next() < 0.3) parents.add(String(Math.floor(next() * at)));
    lane.push(operation(String(at), ...parents));
  }
  return lane;
}

Deno.test("concurrent operations stand side by side, and what follows both joins them", () => {
  const { columns, width, edges, concurrent } = layOut([operation("g"), operation("a", "g"), operation("b", "g"), operation("m", "a", "b")]);
  assert.deepEqual(Object.fromEntries(columns), { g: 0, a: 0, b: 1, m: 0 });
  assert.deepEqual(width, 2);
  assert.deepEqual(edges.length, 4);
  assert.deepEqual(concurrent.get("a"), ["b"]);
  assert.deepEqual(concurrent.get("m"), []);
});

Deno.test("a parent that another parent follows adds no line", () => {
  assert.deepEqual(layOut([operation("g"), operation("a", "g"), operation("b", "a", "g")]).edges.map(({ from, to }) => from + to), ["ga", "ab"]);
});

Deno.test("no line runs through an operation that is not at its end", () => {
  for (let seed = 1; seed <= 200; seed++) {
    const lane = randomLane(seed);
    const { columns, edges } = layOut(lane);
    const row = new Map(lane.map((each, at) => [each.id, at]));
    for (const { from, to, column } of edges) {
      for (const { id } of lane.slice((row.get(from) ?? 0) + 1, row.get(to))) {
        assert(columns.get(id) !== column, `seed ${seed}: the line from ${from} to ${to} runs through ${id}`);
      }
    }
  }
});

Deno.test("what is left out leaves its past to what follows it", () => {
  const lane = [operation("g"), operation("a", "g"), operation("d", "a"), operation("b", "d")];
  assert.deepEqual(without(lane, (each) => each.id !== "d"), [operation("g"), operation("a", "g"), operation("b", "a")]);
});

Deno.test("the order puts parents first, whatever order operations come in", () => {
  for (let seed = 1; seed <= 50; seed++) {
    const ordered = inCausalOrder(randomLane(seed).reverse());
    const seen = new Set();
    for (const each of ordered) {
      assert(each.parents.every((parent) => seen.has(parent)), `seed ${seed}: ${each.id} stands before a parent`);
      seen.add(each.id);
    }
    assert.deepEqual(ordered.length, 40);
  }
});

Deno.test("operations that are in a circle, or lack a parent, stand at the end", () => {
  assert.deepEqual(inCausalOrder([operation("x", "y"), operation("y", "x"), operation("g")]).map((each) => each.id), ["g", "x", "y"]);
});

Deno.test("the past of an operation is everything it follows", () => {
  assert.deepEqual([...pasts([operation("g"), operation("a", "g"), operation("b", "a")]).get("b") ?? []].sort(), ["a", "g"]);
});

// Where operations stand in the graph of a membership lane: what follows what, and which branches are side by side. Pure.

/**
 * @typedef {object} Operation
 * @property {string} id
 * @property {string[]} parents
 */

/**
 * Leaves operations out; what followed them follows what they followed.
 * @template {Operation} T
 * @param {T[]} operations each after its parents
 * @param {(operation: T) => boolean} isShown
 * @returns {T[]}
 */
export function without(operations, isShown) {
  /** @type {Map<string, string[]>} */
  const standsFor = new Map();
  const shown = [];
  for (const operation of operations) {
    const parents = [...new Set(operation.parents.flatMap((parent) => standsFor.get(parent) ?? []))];
    if (isShown(operation)) {
      standsFor.set(operation.id, [operation.id]);
      shown.push({ ...operation, parents });
    } else standsFor.set(operation.id, parents);
  }
  return shown;
}

/**
 * The operations with each after its parents; those of one moment keep the order that they have. What names a parent that is not
 * there stands at the end.
 * @template {Operation} T
 * @param {T[]} operations
 * @returns {T[]}
 */
export function inCausalOrder(operations) {
  const placed = new Set();
  const ordered = [];
  let rest = operations;
  while (rest.length > 0) {
    const later = [];
    for (const each of rest) {
      if (each.parents.every((parent) => placed.has(parent))) {
        placed.add(each.id);
        ordered.push(each);
      } else later.push(each);
    }
    if (later.length === rest.length) return [...ordered, ...later];
    rest = later;
  }
  return ordered;
}

/**
 * What is in the past of each operation.
 * @param {Operation[]} operations each after its parents
 * @returns {Map<string, Set<string>>}
 */
export function pasts(operations) {
  /** @type {Map<string, Set<string>>} */
  const found = new Map();
  for (const operation of operations) {
    const past = new Set(operation.parents);
    for (const parent of operation.parents) for (const each of found.get(parent) ?? []) past.add(each);
    found.set(operation.id, past);
  }
  return found;
}

/**
 * The place of each operation: its row is its place in the order, and branches that are concurrent have different columns.
 *
 * @param {Operation[]} operations each after its parents
 * @returns {{columns: Map<string, number>, width: number, edges: Array<{from: string, to: string, column: number}>, concurrent: Map<string, string[]>}}
 *   an edge goes down in its column, in which nothing else is between its ends
 */
export function layOut(operations) {
  const past = pasts(operations);
  const row = new Map(operations.map((each, at) => [each.id, at]));
  /** @type {Map<string, string[]>} */
  const parents = new Map();
  for (const { id, parents: all } of operations) {
    // A parent that another parent follows adds no line.
    const known = all.filter((each) => row.has(each));
    parents.set(id, known.filter((each) => !known.some((other) => other !== each && past.get(other)?.has(each))));
  }
  /** @type {Map<string, number>} */
  const children = new Map();
  for (const each of parents.values()) for (const parent of each) children.set(parent, (children.get(parent) ?? 0) + 1);

  /** What each column ends with, and how far down it is in use. @type {Array<{tip: string | null, last: number}>} */
  const lines = [];
  /** @type {Map<string, number>} */
  const columns = new Map();
  /** @type {Array<{from: string, to: string, column: number}>} */
  const edges = [];

  /** A column in which nothing is below a row. @param {number} above @param {number} [except] */
  function free(above, except) {
    const found = lines.findIndex((line, column) => column !== except && line.tip === null && line.last <= above);
    return found < 0 ? lines.push({ tip: null, last: -1 }) - 1 : found;
  }
  operations.forEach(({ id }, at) => {
    const mine = parents.get(id) ?? [];
    const ending = lines.flatMap((line, column) => line.tip !== null && mine.includes(line.tip) ? [column] : []);
    const column = ending[0] ?? free(Math.max(-1, ...mine.map((parent) => row.get(parent) ?? -1)));
    const wasInUse = ending.length > 0 ? at : lines[column].last;
    for (const parent of mine) {
      const from = columns.get(parent) ?? 0;
      const above = row.get(parent) ?? -1;
      if (lines[from].tip === parent) {
        edges.push({ from: parent, to: id, column: from });
        if (from !== column) lines[from] = { tip: null, last: at };
      } else if (wasInUse <= above) edges.push({ from: parent, to: id, column });
      else {
        const own = free(above, column);
        edges.push({ from: parent, to: id, column: own });
        lines[own].last = at;
      }
    }
    columns.set(id, column);
    lines[column].last = at;
    lines[column].tip = (children.get(id) ?? 0) > 0 ? id : null;
  });
  /** @type {Map<string, string[]>} */
  const concurrent = new Map();
  if (operations.length <= 400) {
    for (const { id } of operations) {
      concurrent.set(id, operations.filter((other) => other.id !== id && !past.get(id)?.has(other.id) && !past.get(other.id)?.has(id)).map((other) => other.id));
    }
  }
  return { columns, width: Math.max(1, lines.length), edges, concurrent };
}

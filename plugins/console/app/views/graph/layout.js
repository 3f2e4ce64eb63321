/**
 * Places the entities around the one in the middle: rings by distance, in the order that keeps related ones
 * side by side. The same neighbourhood always looks the same.
 *
 * @typedef {{left: number, right: number, top: number, bottom: number}} Box
 */

const LABEL_HEIGHT = 17
const LABEL_MAX = 130
const MARK = 10
const GAP = 3

/** Half the width and height of the ring of neighbours where it is the only one. */
const ONE_RING = { x: 330, y: 215 }
const INNER_RING = { x: 200, y: 140 }
const OUTER_RING = { x: 420, y: 300 }
/** Neighbours beyond these widen the rings, each by so much. */
const EASY = 12
const WIDENING = 5
const STEPS = [0, 1, -1, 2, -2, 3, -3, 4, 5, 6]
const STEP = 0.11

/**
 * @param {string} start
 * @param {{id: string, name: string, type: string}[]} nodes
 * @param {{source: string, target: string}[]} edges
 * @returns {{places: Map<string, {x: number, y: number, label: string}>, taken: Box[],
 * box: {x: number, y: number, width: number, height: number}}}
 */
export function layOut(start, nodes, edges) {
  const tree = treeOf(start, nodes, neighboursOf(edges))
  const angles = anglesOf(start, tree)
  const rings = ringsOf(tree)
  const places = new Map()
  const taken = []
  const names = new Map(nodes.map(({ id, name }) => [id, name]))
  for (const [id, distance] of tree.distances) {
    const label = shortened(names.get(id) ?? '')
    const place = freePlace(rings[distance - 1], angles.get(id), label, taken)
    taken.push(boxOf(place, label))
    places.set(id, { ...place, label })
  }
  return { places, taken, box: around(taken) }
}

function ringsOf({ distances }) {
  const counts = [...distances.values()]
  if (Math.max(...counts) <= 1) return [ONE_RING]
  const more = WIDENING * Math.max(0, counts.filter(distance => distance === 1).length - EASY)
  return [INNER_RING, OUTER_RING].map(({ x, y }) => ({ x: x + more, y: y + more }))
}

function neighboursOf(edges) {
  const neighbours = new Map()
  const add = (from, to) => neighbours.set(from, (neighbours.get(from) ?? new Set()).add(to))
  for (const { source, target } of edges) {
    add(source, target)
    add(target, source)
  }
  return neighbours
}

/** The shortest ways from the start: the distance of each entity, and those that are reached through it, in order. */
function treeOf(start, nodes, neighbours) {
  const byId = new Map(nodes.map(node => [node.id, node]))
  const distances = new Map([[start, 0]])
  const children = new Map()
  // A map goes on to the entries that are added while it is walked.
  for (const [id, distance] of distances) {
    const reached = [...(neighbours.get(id) ?? [])].filter(other => byId.has(other) && !distances.has(other))
    const ordered = inOrder(
      reached.map(other => byId.get(other)),
      neighbours,
      start,
    )
    for (const other of ordered) distances.set(other, distance + 1)
    children.set(id, ordered)
  }
  return { distances, children }
}

/** Each is followed by the one it has most in common with; where there is none, by type and name. */
function inOrder(nodes, neighbours, start) {
  const left = nodes.toSorted(
    (a, b) => a.type.localeCompare(b.type) || a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1),
  )
  const ordered = []
  while (left.length > 0) {
    const last = ordered.at(-1)
    const common = left.map(({ id }) => (last === undefined ? 0 : inCommon(neighbours, last, id, start)))
    const [node] = left.splice(common.indexOf(Math.max(...common)), 1)
    ordered.push(node.id)
  }
  return ordered
}

function inCommon(neighbours, a, b, start) {
  const ofA = neighbours.get(a) ?? new Set()
  const shared = [...(neighbours.get(b) ?? [])].filter(id => id !== start && ofA.has(id)).length
  return shared + (ofA.has(b) ? 2 : 0)
}

/** Each entity gets a share of the circle by how many lie behind it. */
function anglesOf(start, { children }) {
  const weightOf = id =>
    Math.max(
      1,
      (children.get(id) ?? []).reduce((sum, child) => sum + weightOf(child), 0),
    )
  const angles = new Map()
  const share = (ids, from, to) => {
    const whole = ids.reduce((sum, id) => sum + weightOf(id), 0)
    let at = from
    for (const id of ids) {
      const end = at + ((to - from) * weightOf(id)) / whole
      angles.set(id, (at + end) / 2)
      share(children.get(id) ?? [], at, end)
      at = end
    }
  }
  share(children.get(start) ?? [], -Math.PI / 2, 1.5 * Math.PI)
  return angles
}

/** The place on the ring, or a bit off it where another label is in the way. */
function freePlace(ring, angle, label, taken) {
  if (ring === undefined || angle === undefined) return { x: 0, y: 0 }
  const candidates = STEPS.map(step => ({
    x: Math.round(Math.cos(angle) * ring.x * (1 + step * STEP)),
    y: Math.round(Math.sin(angle) * ring.y * (1 + step * STEP)),
  }))
  const isFree = place => !taken.some(other => overlap(boxOf(place, label), other))
  return candidates.find(isFree) ?? candidates[0]
}

/** Parts of the way from one end to the other, the best first. */
const WAYS = [0.55, 0.65, 0.45, 0.75, 0.35]
const WORDS_HEIGHT = 15

/**
 * Places words on their lines where they cover nothing; those that find no room are left out.
 *
 * @param {{id: string, from: {x: number, y: number}, to: {x: number, y: number}, words: string}[]} lines
 * @param {Box[]} taken
 * @returns {{id: string, x: number, y: number, words: string}[]}
 */
export function placeWords(lines, taken) {
  const covered = [...taken]
  return lines.flatMap(({ id, from, to, words }) => {
    const half = widthOf(words) / 2
    for (const way of WAYS) {
      const x = from.x + (to.x - from.x) * way
      const y = from.y + (to.y - from.y) * way
      const box = { left: x - half, right: x + half, top: y - WORDS_HEIGHT, bottom: y + GAP }
      if (covered.some(other => overlap(box, other))) continue
      covered.push(box)
      return [{ id, x, y, words }]
    }
    return []
  })
}

/** The room of an entity: its mark with the label below. */
function boxOf({ x, y }, label) {
  const half = Math.max(MARK, widthOf(label) / 2)
  return { left: x - half - GAP, right: x + half + GAP, top: y - MARK - GAP, bottom: y + MARK + LABEL_HEIGHT + GAP }
}

function overlap(a, b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

const MARGIN = 12

function around(boxes) {
  const left = Math.min(...boxes.map(box => box.left)) - MARGIN
  const top = Math.min(...boxes.map(box => box.top)) - MARGIN
  const right = Math.max(...boxes.map(box => box.right)) + MARGIN
  const bottom = Math.max(...boxes.map(box => box.bottom)) + MARGIN
  return { x: left, y: top, width: right - left, height: bottom - top }
}

const NARROW = 7
const WIDE = 13.5
const WIDE_FROM = 0x2e80

const widthOf = text => [...text].reduce((sum, sign) => sum + (sign.codePointAt(0) >= WIDE_FROM ? WIDE : NARROW), 0)

const SIGNS = new Intl.Segmenter()

/** A name as far as it fits below its mark. */
function shortened(name) {
  if (widthOf(name) <= LABEL_MAX) return name
  let text = ''
  for (const { segment } of SIGNS.segment(name)) {
    if (widthOf(text + segment) > LABEL_MAX) break
    text += segment
  }
  return `${text.trimEnd()}…`
}

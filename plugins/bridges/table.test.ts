import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { Bridge } from './bridge.ts'
import { bridges } from './index.ts'

const page = readFileSync(new URL('../../docs/bridges.md', import.meta.url), 'utf8')

/** Makes the table of a bridge as the page has it: its calls, then those that are refused. */
function tableOf({ id, rows }: Bridge): string {
  const lines = (refused: boolean) =>
    rows
      .filter(({ handle }) => refused === (handle === undefined))
      .map(
        ({ places, call, here }) =>
          `| ${places.map(place => `\`${place.replace(' ', ` /bridges/${id}`)}\``).join('<br>')} | ${call} | ${here} |`,
      )
  const table = (title: string, refused: boolean) => [
    `| Request | Call | ${title} |`,
    '|---|---|---|',
    ...lines(refused),
  ]
  return [...table('Here', false), '', ...table('Refused', true)].join('\n')
}

test.each(bridges.map(bridge => [bridge.id, bridge] as const))('docs/bridges.md has the rows of %s', (_, bridge) => {
  expect(page).toContain(`${tableOf(bridge)}\n`)
})

test('a request fits one row at most, or the first is the one that is meant', () => {
  for (const { rows } of bridges) {
    const places = rows.flatMap(row => row.places)
    expect(places.filter((place, n) => places.indexOf(place) < n)).toEqual([])
    expect(places.filter(place => !/^(GET|POST|PUT|PATCH|DELETE) \/[\w:/-]*[\w]$/.test(place))).toEqual([])
  }
})

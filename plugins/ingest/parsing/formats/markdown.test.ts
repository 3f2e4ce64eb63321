import { expect, test } from 'bun:test'
import { chunksOfDocument, textOf } from '../fixtures.test-support.ts'

test('links to notes are read by their words and the names of the notes', async () => {
  const note = [
    '# Trip to [[Ghent|the town]]',
    'We met [[Ada Lovelace|her]] at [[Places/Quay#North side]], see [[#Costs]] and [[Log#^a1]]. ![[map.png|300]]![[quay.jpg|The quay]]',
    '`[[code]]` is code.',
    '| Who | Where |\n|---|---|\n| [[Ada Lovelace\\|Ada]] | [[Ghent]] |',
  ].join('\n\n')
  expect(await textOf('MARKDOWN', note)).toBe(
    'Trip to the town\n\nWe met her (Ada Lovelace) at Places/Quay › North side, see Costs and Log. The quay\n\n[[code]] is code.\nWho: Ada (Ada Lovelace); Where: Ghent',
  )
})

test('a front matter is read field by field, and as it is written where it is no YAML', async () => {
  const read = (front: string) => textOf('MARKDOWN', `---\n${front}\n---\nThe text.`)
  expect(
    await read(
      'title: "Harbours: 2"\ntags: [travel, ships]\naliases:\n  - Ports\nup: "[[Ghent]]"\nday: 2024-05-01\nmeta:\n  by: Ada\nempty:',
    ),
  ).toBe(
    'title: Harbours: 2\ntags: travel, ships\naliases: Ports\nup: Ghent\nday: 2024-05-01\nmeta.by: Ada\n\nThe text.',
  )
  expect(await read('title: a: b: [c')).toBe('title: a: b: [c\n\nThe text.')
  expect(await read('just a line')).toBe('just a line\n\nThe text.')
  const [chunk] = await chunksOfDocument('MARKDOWN', '---\nTitle: Harbours\n---\n\nThe text.')
  expect(chunk?.text).toBe('Title: Harbours\n\nThe text.')
})

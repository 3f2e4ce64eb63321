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

test('a note whose subject is its name has it above its text, as its title', async () => {
  const read = (text: string, name: string) => textOf('MARKDOWN', text, { name })
  expect(await read('---\nrating: 7\n---\nPlayers trade sheep.\n\n## Rules\n\nSeven robs.', 'Catan.md')).toBe(
    'Catan\n\nrating: 7\n\nPlayers trade sheep.\n\nRules\n\nSeven robs.',
  )
  expect(await read('---\nborn: 1952\n---', 'Kevin Kelly.md')).toBe('Kevin Kelly\n\nborn: 1952')
  expect(await read('Play.', 'README.md')).toBe('Play.')
  expect(await read('# Games\n\nPlay.', 'Catan.md')).toBe('Games\n\nPlay.')
  expect(await read('---\ntitle: Games\n---\nPlay.', 'Catan.md')).toBe('title: Games\n\nPlay.')
  expect(await read('Play.', 'https://example.org/a.md')).toBe('Play.')
})

test('definitions of links and comments of Obsidian are no text', async () => {
  const note = [
    '# Links',
    'See the [manual][m] and [faq].%%not this%% It gives 5%% and 6%%.',
    '%%\nnor this\n\nand this\n%%',
    '[m]: https://example.org/manual "The manual"\n[faq]: https://example.org/faq\n[unused]: https://example.org/unused',
  ]
  expect(await textOf('MARKDOWN', note.join('\n\n'))).toBe(
    'Links\n\nSee the manual (https://example.org/manual) and faq (https://example.org/faq). It gives 5%% and 6%%.',
  )
})

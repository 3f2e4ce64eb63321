import { expect, test } from 'bun:test'
import { faultOf, textOf } from '../fixtures.test-support.ts'

test('subtitles are read as running text with the time and the speaker of each paragraph', async () => {
  const srt =
    '1\n00:00:01,000 --> 00:00:03,000\n<i>The ship</i>\nleaves\n\n2\n00:00:03,100 --> 00:00:05,000\n{\\an8}Ghent &amp; Bruges.\n\n3\n00:01:15,000 --> 00:01:17,000\nMuch later.\n'
  expect(await textOf('SUBTITLES', srt)).toBe('[00:00:01] The ship leaves Ghent & Bruges.\n\n[00:01:15] Much later.')
  const vtt =
    'WEBVTT - a talk\n\nNOTE nobody says this\n\nSTYLE\n::cue { color: red }\n\nintro\n00:01.000 --> 00:03.000 align:start\n<v Ada>Where is it?</v>\n\n00:03.000 --> 00:04.000\n<v.loud Ben>At the <c.red>quay</c>.\n'
  expect(await textOf('SUBTITLES', vtt)).toBe('[00:00:01] Ada: Where is it?\n\n[00:00:03] Ben: At the quay.')
})

test('a line of captions that roll is read once, and cues without lines between them are told apart', async () => {
  const rolling =
    'WEBVTT\n\n00:01.000 --> 00:02.000\nthe ship\n\n00:02.000 --> 00:03.000\nthe ship\nleaves Ghent\n\n00:03.000 --> 00:04.000\nleaves Ghent\nat noon\n'
  expect(await textOf('SUBTITLES', rolling)).toBe('[00:00:01] the ship leaves Ghent at noon')
  expect(await textOf('SUBTITLES', '1\n00:00:01,0 --> 00:00:02,0\nOne.\n2\n00:00:02,0 --> 00:00:03,0\nTwo.\n')).toBe(
    '[00:00:01] One. Two.',
  )
  expect(await faultOf('SUBTITLES', 'Only a text.')).toBe('FORMAT_MISMATCH')
})

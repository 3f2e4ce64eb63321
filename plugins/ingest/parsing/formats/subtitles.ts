import { decodeHTML } from 'entities/decode'
import { type Block, ReadingError } from '../../document/document.ts'
import type { Parsed } from '../reading.ts'
import { joinLines } from '../running-text.ts'

const TIMING = /^\s*((?:\d+:)?\d{1,2}:\d{2}(?:[.,]\d{1,3})?)\s+-->\s+((?:\d+:)?\d{1,2}:\d{2}(?:[.,]\d{1,3})?)/
/** VTT names who speaks. */
const VOICE = /<v(?:\.[^\s>]*)?\s+([^>]+)>/
/** Marks of how something looks: tags, and what Aegisub writes in braces. */
const MARKS = /<\/?[a-z0-9][^>]*>|\{\\[^}]*\}/gi
/** After so long a silence something else begins. */
const SILENCE_S = 4
const PARAGRAPH_CHARS = 500

interface Cue {
  readonly from: number
  readonly to: number
  readonly speaker: string | undefined
  readonly lines: readonly string[]
}

/** Subtitles (SRT, WebVTT): what is said in running text, each paragraph with its speaker and the time at which it begins. */
export function parseSubtitles(text: string): Parsed {
  const cues = cuesOf(text.split('\n'))
  if (cues.length === 0) {
    throw new ReadingError('FORMAT_MISMATCH', 'The file holds no subtitles (SRT or VTT): no line of it has two times.')
  }
  return { blocks: blocksOf(cues) }
}

function* blocksOf(cues: readonly Cue[]): Generator<Block> {
  let open: { from: number; to: number; speaker: string | undefined; lines: string[] } | undefined
  let last: readonly string[] = []
  for (const { from, to, speaker, lines } of cues) {
    // Captions that roll show a line again while the next one comes.
    const said = lines.filter(line => !last.includes(line))
    last = lines
    if (said.length === 0) continue
    if (open && (open.speaker !== speaker || from - open.to > SILENCE_S || isFull(open.lines))) {
      yield paragraphOf(open)
      open = undefined
    }
    open ??= { from, to, speaker, lines: [] }
    open.lines.push(...said)
    open.to = to
  }
  if (open) yield paragraphOf(open)
}

function isFull(lines: readonly string[]): boolean {
  const text = lines.join(' ')
  return text.length > PARAGRAPH_CHARS && /[.!?…。！？]["'”’)]*$/.test(text)
}

function paragraphOf({
  from,
  speaker,
  lines,
}: {
  from: number
  speaker: string | undefined
  lines: readonly string[]
}): Block {
  const said = `${speaker ? `${speaker}: ` : ''}${joinLines(lines)}`
  return { kind: 'paragraph', text: `[${timeInWords(from)}] ${said}` }
}

function cuesOf(lines: readonly string[]): Cue[] {
  const cues: Cue[] = []
  for (let n = 0; n < lines.length; n++) {
    const [, from, to] = TIMING.exec(lines[n] ?? '') ?? []
    if (from === undefined || to === undefined) continue
    const own: string[] = []
    while (n + 1 < lines.length && lines[n + 1]?.trim() && !TIMING.test(lines[n + 1] ?? '')) own.push(lines[++n] ?? '')
    // The number of the next cue, where no empty line stands before it.
    if (TIMING.test(lines[n + 1] ?? '') && /^\d+$/.test(own.at(-1)?.trim() ?? '')) own.pop()
    const speaker = VOICE.exec(own.join('\n'))?.[1]?.trim()
    const said = own.map(line => decodeHTML(line.replace(MARKS, '')).trim()).filter(Boolean)
    if (said.length > 0) cues.push({ from: secondsOf(from), to: secondsOf(to), speaker, lines: said })
  }
  return cues
}

function secondsOf(time: string): number {
  return time
    .replace(',', '.')
    .split(':')
    .reduce((sum, part) => sum * 60 + Number(part), 0)
}

function timeInWords(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds % 60)]
  return parts.map(part => String(part).padStart(2, '0')).join(':')
}

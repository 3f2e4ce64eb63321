import { DateTime, Duration } from 'luxon'
import { type Block, ReadingError } from '../../document/document.ts'
import type { Parsed } from '../reading.ts'
import { parseText } from './text.ts'

interface Property {
  readonly parameters: Readonly<Record<string, string>>
  readonly value: string
}
type Properties = ReadonlyMap<string, readonly Property[]>

/** Parts of a calendar that people wrote; the others are time zones, alarms and times that are taken. */
const READ = new Set(['VEVENT', 'VTODO', 'VJOURNAL'])
/** Some programs write an event without a calendar around it. */
const BEGIN = /^BEGIN:V(?:CALENDAR|EVENT|TODO|JOURNAL)\b/im
/** Anything else, as a time without a day, is shown as it is written. */
const TIME = /^\d{4}-?\d\d-?\d\d(?:T\d\d:?\d\d(?::?\d\d)?)?Z?$/
/** Parameters may hold a colon in quotes. */
const LINE = /^([\w-]+)(?:;((?:"[^"]*"|[^":])*))?:(.*)$/s
const PARAMETER = /([\w-]+)=("[^"]*"|[^;]*)/g

/** A calendar (iCalendar, RFC 5545): each event, task and entry under its title. A line that is damaged is passed over, as calendars do. */
export function parseCalendar(text: string): Parsed {
  if (!BEGIN.test(text))
    throw new ReadingError('FORMAT_MISMATCH', 'The file is not a calendar (ICS): none begins in it.')
  const { calendar, entries } = read(text)
  const title = textOf(calendar, 'X-WR-CALNAME') || textOf(calendar, 'NAME')
  return { ...(title ? { title } : {}), blocks: blocksOf(title, entries) }
}

function* blocksOf(title: string, entries: readonly Properties[]): Generator<Block> {
  if (title) yield { kind: 'heading', level: 1, text: title }
  for (const entry of entries) {
    const summary = textOf(entry, 'SUMMARY')
    if (summary) yield { kind: 'heading', level: 2, text: summary }
    const lines = fieldsOf(entry).flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []))
    if (lines.length > 0) yield { kind: 'paragraph', text: lines.join('\n') }
    for (const name of ['DESCRIPTION', 'COMMENT']) yield* parseText(textOf(entry, name))
  }
}

function read(text: string): { calendar: Properties; entries: Properties[] } {
  const [calendar, entries] = [new Map<string, Property[]>(), [] as Map<string, Property[]>[]]
  const open: string[] = []
  for (const line of text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/)) {
    const [, word = '', parameters = '', value = ''] = LINE.exec(line) ?? []
    const name = word.toUpperCase()
    if (name === 'BEGIN') {
      open.push(value.trim().toUpperCase())
      if (READ.has(open.at(-1) ?? '')) entries.push(new Map())
    } else if (name === 'END') open.pop()
    else if (name) {
      const kind = open.at(-1) ?? ''
      const properties = READ.has(kind) ? entries.at(-1) : kind === 'VCALENDAR' ? calendar : undefined
      const given = [...parameters.matchAll(PARAMETER)].map(([, key = '', said = '']) => [
        key.toUpperCase(),
        said.replaceAll('"', ''),
      ])
      const property = { parameters: Object.fromEntries(given), value }
      properties?.set(name, [...(properties.get(name) ?? []), property])
    }
  }
  return { calendar, entries }
}

function fieldsOf(entry: Properties): (readonly [name: string, value: string])[] {
  const times = (name: string) => (entry.get(name) ?? []).map(shownTimes).join(', ')
  const texts = (name: string) => textOf(entry, name).replaceAll('\n', ', ')
  return [
    ['When', period(entry)],
    ['Due', times('DUE')],
    ['Repeats', shownRule(entry.get('RRULE')?.[0]?.value ?? '')],
    ['Also on', times('RDATE')],
    ['Except on', times('EXDATE')],
    ['Instead of', times('RECURRENCE-ID')],
    ['Where', texts('LOCATION')],
    ['Status', texts('STATUS').toLowerCase()],
    ['Organizer', (entry.get('ORGANIZER') ?? []).map(shownPerson).join(', ')],
    ['Attendees', (entry.get('ATTENDEE') ?? []).map(shownPerson).join(', ')],
    ['Categories', texts('CATEGORIES')],
    ['Link', [texts('URL'), texts('CONFERENCE')].filter(Boolean).join(', ')],
  ]
}

/** All texts of a name, each on a line. */
function textOf(properties: Properties, name: string): string {
  const texts = (properties.get(name) ?? []).map(({ value }) =>
    value.replace(/\\(.)/g, (_, sign: string) => (/n/i.test(sign) ? '\n' : sign)).trim(),
  )
  return texts.filter(Boolean).join('\n')
}

function period(entry: Properties): string {
  const [start] = entry.get('DTSTART') ?? []
  if (!start) return ''
  const end = entry.get('DTEND')?.[0] ?? endOf(start, entry.get('DURATION')?.[0]?.value)
  const from = shownTime(start.value, start.parameters)
  // The day on which whole days end is the one after the last.
  const isDays = end && !end.value.includes('T')
  const to = end && shownTime(end.value, end.parameters, isDays ? 1 : 0)
  if (!to || to === from) return from
  const sameDay = to.slice(0, 10) === from.slice(0, 10) && to.slice(16) === from.slice(16)
  return sameDay ? `${from.slice(0, 16)} to ${to.slice(11)}` : `${from} to ${to}`
}

function endOf(start: Property, duration = ''): Property | undefined {
  const length = Duration.fromISO(duration)
  const begun = DateTime.fromISO(start.value, { zone: 'utc' })
  if (!length.isValid || !begun.isValid) return undefined
  const end = begun.plus(length)
  if (!end.isValid) return undefined
  const value = end.toFormat(start.value.includes('T') ? "yyyyMMdd'T'HHmmss" : 'yyyyMMdd')
  return { parameters: start.parameters, value: start.value.endsWith('Z') ? `${value}Z` : value }
}

function shownTimes({ value, parameters }: Property): string {
  const times = value.split(',').map(time => time.split('/').map(part => shownTime(part, parameters)))
  return times.map(parts => parts.join(' to ')).join(', ')
}

/** A time as its calendar has it, with the zone that it names. */
function shownTime(written: string, { TZID: zone }: Property['parameters'], daysLess = 0): string {
  const time = DateTime.fromISO(written.trim(), { zone: 'utc' }).minus({ days: daysLess })
  if (!TIME.test(written.trim()) || !time.isValid) return written.trim()
  if (!written.includes('T')) return time.toFormat('yyyy-MM-dd')
  const suffix = written.trim().endsWith('Z') ? ' UTC' : zone ? ` (${zone})` : ''
  return time.toFormat('yyyy-MM-dd HH:mm') + suffix
}

/** `FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20240601` as `weekly, by day MO WE, until 2024-06-01`. */
function shownRule(rule: string): string {
  const parts = rule.split(';').map(part => {
    const [key = '', value = ''] = part.trim().toLowerCase().split('=')
    if (key === 'freq') return value
    if (key === 'until') return `until ${shownTime(value.toUpperCase(), {})}`
    return value && `${key.replace(/^by/, 'by ')} ${value.toUpperCase().replaceAll(',', ' ')}`
  })
  return parts.filter(Boolean).join(', ')
}

function shownPerson({ value, parameters: { CN: name = '', PARTSTAT: answer = '' } }: Property): string {
  const address = value.replace(/^mailto:/i, '').trim()
  const person = name && name !== address ? `${name} <${address}>` : address
  const said = answer.toLowerCase()
  return said && said !== 'needs-action' ? `${person} (${said})` : person
}

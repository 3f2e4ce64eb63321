import { describe, expect, test } from 'bun:test'
import { chunksOfDocument, encode, faultOf, textOf } from '../fixtures.test-support.ts'

const calendar = (...lines: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'X-WR-CALNAME:Harbour', ...lines, 'END:VCALENDAR', ''].join('\r\n')
const event = (...lines: string[]) => ['BEGIN:VEVENT', 'UID:1@example.com', ...lines, 'END:VEVENT']

describe('a calendar', () => {
  test('is read event by event, with its time, place, people and description', async () => {
    const meeting = event(
      'DTSTART;TZID=Europe/Brussels:20240501T180000',
      'DTEND;TZID=Europe/Brussels:20240501T193000',
      'RRULE:FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20240601T000000Z',
      'SUMMARY:Dredging\\, plan',
      'LOCATION:Quay 4\\; room 2',
      'ORGANIZER;CN="Demir, Aylin":mailto:aylin@example.com',
      'ATTENDEE;CN=Ben;PARTSTAT=ACCEPTED;RSVP=TRUE:mailto:ben@example.com',
      'ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:ca',
      ' ro@example.com',
      'DESCRIPTION:Bring the charts.\\nAsk about the',
      '\t sluice.',
      'BEGIN:VALARM',
      'DESCRIPTION:Reminder',
      'END:VALARM',
    )
    expect(await textOf('ICS', calendar('BEGIN:VTIMEZONE', 'TZID:Europe/Brussels', 'END:VTIMEZONE', ...meeting))).toBe(
      [
        'Harbour › Dredging, plan',
        '',
        'When: 2024-05-01 18:00 to 19:30 (Europe/Brussels)',
        'Repeats: weekly, by day MO WE, until 2024-06-01 00:00 UTC',
        'Where: Quay 4; room 2',
        'Organizer: Demir, Aylin <aylin@example.com>',
        'Attendees: Ben <ben@example.com> (accepted), caro@example.com',
        '',
        'Bring the charts.',
        'Ask about the sluice.',
      ].join('\n'),
    )
  })

  test('has whole days, times by their length, tasks and moved meetings; a damaged line costs no other', async () => {
    const text = await textOf(
      'ICS',
      calendar(
        ...event('SUMMARY:Fair', 'DTSTART;VALUE=DATE:20240510', 'DTEND;VALUE=DATE:20240513'),
        ...event('SUMMARY:Holiday', 'DTSTART;VALUE=DATE:20240520', 'DTEND;VALUE=DATE:20240521', 'X'),
        ...event('SUMMARY:Night shift', 'DTSTART:20240514T220000Z', 'DURATION:PT8H', 'EXDATE:20240515T220000Z'),
        'BEGIN:VTODO',
        'SUMMARY:Send the bill',
        'DUE:083000',
        'STATUS:NEEDS-ACTION',
        'END:VTODO',
      ),
    )
    for (const line of [
      'Fair\n\nWhen: 2024-05-10 to 2024-05-12',
      'Holiday\n\nWhen: 2024-05-20\n',
      'Night shift\n\nWhen: 2024-05-14 22:00 UTC to 2024-05-15 06:00 UTC\nExcept on: 2024-05-15 22:00 UTC',
      'Send the bill\n\nDue: 083000\nStatus: needs-action',
    ])
      expect(text).toContain(line)
  })

  test('that is none, or holds no events, says so', async () => {
    expect(await faultOf('ICS', 'Some text.')).toBe('FORMAT_MISMATCH')
    expect(await faultOf('ICS', 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n')).toBe('NO_TEXT')
  })

  test('of an invitation is read once, however often its e-mail holds it', async () => {
    const invitation = calendar(...event('SUMMARY:Dredging', 'DTSTART:20240501T180000Z'))
    const part = (type: string, body: string) => `--b\r\nContent-Type: ${type}\r\n\r\n${body}\r\n`
    const mail = [
      'From: ada@example.com\r\nTo: ben@example.com\r\nSubject: Invitation\r\nMIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b\r\n',
      part('text/plain', 'Please come.') +
        part('text/calendar; method=REQUEST; charset=utf-8', invitation) +
        part('text/calendar; name="invite.ics"\r\nContent-Disposition: attachment; filename="invite.ics"', invitation),
    ].join('\r\n')
    const text = (await chunksOfDocument('EML', encode(`${mail}--b--\r\n`))).map(chunk => chunk.text).join('\n\n')
    expect(text.match(/When: 2024-05-01 18:00 UTC/g)).toHaveLength(1)
    expect(text).not.toContain('BEGIN:')
  })
})

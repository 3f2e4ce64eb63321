import { Kind, Type, TypeRegistry } from '@sinclair/typebox'
import { IANAZone } from 'luxon'
import { defineSetting } from 'mneme/plugin'

TypeRegistry.Set('TimeZone', (_, value) => typeof value === 'string' && IANAZone.isValidZone(value))

const zone = (description: string) =>
  Type.Unsafe<string>({
    [Kind]: 'TimeZone',
    type: 'string',
    description,
    errorMessage: 'must be an IANA time zone such as Europe/Lisbon',
    examples: ['Europe/Lisbon'],
  })

/** Routes that read times in a question take it. */
export const timezoneField = Type.Optional(
  zone(
    'The IANA time zone in which "today", "last week" and other times in the text are read; the workspace\'s `timezone` when left out.',
  ),
)

/** The time zone of a workspace's users, in which times that texts name are read. */
export const workspaceTimezone = defineSetting({
  key: 'timezone',
  schema: zone('The IANA time zone in which times in memories and questions are read, unless a request names another.'),
  default: 'UTC',
})

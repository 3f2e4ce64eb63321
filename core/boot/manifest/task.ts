import { Type } from '@sinclair/typebox'
import type { Backoff } from '../../jobs/backoff.ts'
import type { Task } from '../../jobs/task.ts'
import { expected, flag, identifier, method, objectOf, optional, schema } from './fields.ts'

const backoff = objectOf<Backoff>(
  {
    delaysMs: Type.Union(
      [method(''), Type.Array(Type.Number({ minimum: 0 }), { minItems: 1 })],
      expected('a list of at least one delay in milliseconds, or a function that computes them'),
    ),
    jitter: optional(Type.Number({ minimum: 0, maximum: 1, ...expected('a share from 0 to 1') })),
  },
  expected('an object with delaysMs'),
)

export const task = objectOf<Task>({
  name: identifier('a name of the form <plugin>:<verb>'),
  payload: schema(),
  maxAttempts: optional(Type.Integer({ minimum: 1, maximum: 20, ...expected('a whole number from 1 to 20') })),
  backoff: optional(backoff),
  timeLimitMs: optional(Type.Number({ exclusiveMinimum: 0, ...expected('a number of milliseconds above 0') })),
  perProcessMax: optional(Type.Integer({ minimum: 1, ...expected('a whole number of at least 1') })),
  gated: optional(flag()),
  run: method('that does a job'),
  exhausted: optional(method('that reports the last failure')),
})

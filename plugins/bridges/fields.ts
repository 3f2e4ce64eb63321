import { Type } from 'mneme/plugin'

// Requests of other services may leave out all of these fields.

export const text = Type.Optional(Type.String())
export const number = Type.Optional(Type.Number())
export const flag = Type.Optional(Type.Boolean())
export const time = Type.Optional(Type.Union([Type.Number(), Type.String()]))
export const object = Type.Optional(Type.Object({}, { additionalProperties: true }))
export const words = Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }))
export const count = (maximum: number) => Type.Optional(Type.Integer({ minimum: 1, maximum }))

/** Accepted, and of no effect. */
export const unread = Type.Optional(Type.Unknown())

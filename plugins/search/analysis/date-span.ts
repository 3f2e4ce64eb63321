/** A span of time that a text names, `end` exclusive. */
export interface DateSpan {
  readonly start: Date
  readonly end: Date
}

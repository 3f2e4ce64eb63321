/** A time span named by a text; `end` is exclusive. */
export interface DateSpan {
  readonly start: Date
  readonly end: Date
}

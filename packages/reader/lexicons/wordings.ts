/**
 * Patterns of wordings by language, in the order in which they are tried. They match without regard to case, and in linear time.
 */
export type Wordings = Readonly<Record<string, readonly RegExp[]>>

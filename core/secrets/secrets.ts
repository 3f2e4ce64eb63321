/**
 * Protects values that a plugin has to read back and nobody else may: signing keys, tokens of other services. They are
 * sealed under the deployment's `ENCRYPTION_KEY` (AES-256-GCM), bound to the plugin, the purpose and the row they
 * belong to.
 */
export interface Secrets {
  /**
   * Seals a text for one row. Each call gives another text, of about 4/3 the length and 60 characters more.
   * @throws SecretError for a purpose that the manifest does not list in `sealed`, or a row without exactly its key
   * columns
   */
  seal(plaintext: string, place: SealedPlace): string
  /**
   * Returns the plaintext.
   * @throws SecretError for a text that was sealed for another place, under a key that is not known, or was changed
   */
  open(sealed: string, place: SealedPlace): string
}

/** Identifies the row that a sealed value belongs to, and its purpose there. */
export interface SealedPlace {
  /** One of the manifest's `sealed`. */
  readonly purpose: string
  /** The row's key: every column that the purpose lists, with its value. */
  readonly row: Readonly<Record<string, string | number>>
}

/** Declares where a plugin keeps values that it seals, so that they can be sealed again when the key changes. */
export interface SealedColumn {
  /** Says what the value is for, e.g. `signing-key`; unique within the plugin. Another purpose has another key. */
  readonly purpose: string
  /** `<schema>.<table>`, a table of the plugin's own schema. */
  readonly table: string
  /** The column is of type text; null where there is no value. */
  readonly column: string
  /** The primary key, `workspace_id` first: columns of type uuid, text or integer that never change. */
  readonly key: readonly string[]
}

export type SecretErrorCode =
  /** The value was sealed under a key that is neither ENCRYPTION_KEY nor one of ENCRYPTION_KEY_PREVIOUS. */
  | 'UNKNOWN_KEY'
  /** The value was changed since, cut short, or sealed for another place. */
  | 'NOT_AUTHENTIC'
  /** The text is no sealed value at all. */
  | 'MALFORMED'
  /** Every value was sealed again under another key, which this process does not have as its own yet. */
  | 'KEY_RETIRED'
  /** The plugin asks for what its manifest does not say. */
  | 'NOT_DECLARED'

/** The message names the plugin and the purpose, and never holds anything of the value. */
export class SecretError extends Error {
  override readonly name = 'SecretError'

  constructor(
    readonly code: SecretErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

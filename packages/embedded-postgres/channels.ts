/** One LISTEN or UNLISTEN found in a statement; `channel` is undefined for `UNLISTEN *`. */
export interface ChannelChange {
  listen: boolean
  channel: string | undefined
}

/**
 * Finds LISTEN and UNLISTEN at the start of a statement of `sql`. A statement begins at the start of the text or after
 * a semicolon. A semicolon inside a string can therefore be taken for a beginning; the change is applied only when the
 * backend also reports a LISTEN or UNLISTEN, which rules that out in practice.
 */
export function channelChanges(sql: string): ChannelChange[] {
  const changes: ChannelChange[] = []
  for (const [, un, name = ''] of sql.matchAll(statement)) {
    const channel = name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name.toLowerCase()
    if (un !== undefined || channel !== '*') {
      changes.push({ listen: un === undefined, channel: channel === '*' ? undefined : channel })
    }
  }
  return changes
}

const statement = /(?:^|;)(?:\s|--[^\n]*\n|\/\*.*?\*\/)*(un)?listen\s+("(?:[^"]|"")+"|[\p{L}_][\p{L}\p{N}_$]*|\*)/gisu

/**
 * Tracks which connection listens to which channel. The one backend listens to the union; a notification goes to the
 * connections that listen.
 */
export class Channels<Listener> {
  readonly #listeners = new Map<string, Set<Listener>>()

  listenersOf(channel: string): Iterable<Listener> {
    return this.#listeners.get(channel) ?? []
  }

  /** Applies a change that the backend has committed for `listener`. Returns the channels others still listen to. */
  apply(listener: Listener, change: ChannelChange): string[] {
    if (change.listen && change.channel !== undefined) {
      const listeners = this.#listeners.get(change.channel) ?? new Set()
      this.#listeners.set(change.channel, listeners.add(listener))
      return []
    }
    const left = change.channel === undefined ? [...this.#listeners.keys()] : [change.channel]
    for (const channel of left) this.#remove(listener, channel)
    return left.filter(channel => this.#listeners.has(channel))
  }

  /** Forgets a closed connection. Returns the channels nobody listens to any more. */
  drop(listener: Listener): string[] {
    const left: string[] = []
    for (const [channel, listeners] of this.#listeners) {
      if (!listeners.has(listener)) continue
      this.#remove(listener, channel)
      if (!this.#listeners.has(channel)) left.push(channel)
    }
    return left
  }

  #remove(listener: Listener, channel: string): void {
    const listeners = this.#listeners.get(channel)
    listeners?.delete(listener)
    if (listeners?.size === 0) this.#listeners.delete(channel)
  }
}

/** Collects the channel changes of the transaction under way on one connection, which count only if it commits. */
export class PendingChanges {
  #changes: ChannelChange[] = []
  #reported = false
  #failed = false

  add(changes: readonly ChannelChange[]): void {
    this.#changes.push(...changes)
  }

  /** Notes what the backend reported. A failed savepoint that was rolled back counts as a failure. */
  note(commands: readonly string[], failed: boolean): void {
    if (commands.includes('LISTEN') || commands.includes('UNLISTEN')) this.#reported = true
    if (failed) this.#failed = true
  }

  /** Ends the transaction and returns the changes that now hold. */
  end(rolledBack: boolean): ChannelChange[] {
    const held = this.#reported && !this.#failed && !rolledBack ? this.#changes : []
    this.#changes = []
    this.#reported = false
    this.#failed = false
    return held
  }
}

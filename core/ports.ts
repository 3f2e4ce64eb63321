/**
 * Connects plugins by a named, typed port. The plugin that owns the contract defines the port, one plugin provides it,
 * any may use it. `definePort<Clock>('things.clock')`.
 */
export interface Port<T> {
  readonly id: string
  /** Carries the type only; never present at run time. */
  readonly of?: T
}

export function definePort<T>(id: string): Port<T> {
  return { id }
}

export interface PortBinding {
  readonly port: Port<unknown>
  readonly implementation: unknown
}

/** A plugin's `setup` returns this for a port listed in its `provides`. */
export function bind<T>(port: Port<T>, implementation: T): PortBinding {
  return { port, implementation }
}

/**
 * Lets other plugins add to a plugin: steps, filters, hooks. The owner lists it in its manifest; contributions come in
 * the order in which plugins are set up.
 */
export interface ExtensionPoint<T> {
  readonly id: string
  readonly of?: T
  /** Each contribution must have these members, by `typeof` or as a TypeBox schema. One that has an `id` must be the only one with it. */
  readonly members?: Readonly<Record<string, MemberType>>
  /** Called once, when every plugin is set up: a fault ends the start with the contributor's name before it. */
  check?(contributions: readonly Contribution<T>[]): readonly ContributionFault[]
}

/** `schema` is a TypeBox schema that compiles. */
export type MemberType = 'string' | 'number' | 'object' | 'function' | 'schema'

export interface ContributionFault {
  readonly plugin: string
  /** Says what is wrong and what to do, as the rest of a sentence that begins with the plugin's name. */
  readonly fault: string
}

/** @param rules what the kernel refuses at boot: contributions that lack a member, or that `check` finds fault with */
export function defineExtensionPoint<T>(
  id: string,
  rules: {
    members?: { readonly [K in keyof T & string]?: MemberType }
    check?(contributions: readonly Contribution<T>[]): readonly ContributionFault[]
  } = {},
): ExtensionPoint<T> {
  const members: Record<string, MemberType> = { ...rules.members }
  return { id, members, ...(rules.check ? { check: rules.check } : {}) }
}

export interface Extension {
  readonly point: ExtensionPoint<unknown>
  readonly value: unknown
}

/** A contribution to an extension point; the plugin must require (or optionally name) the point's owner. */
export function extend<T>(point: ExtensionPoint<T>, value: T): Extension {
  return { point, value }
}

/** A contribution together with its contributor. */
export interface Contribution<T> {
  /** Id of the plugin. */
  readonly plugin: string
  /** The plan feature it stands for; ask `hasFeature` where the contribution is for some plans only. */
  readonly feature: string | undefined
  readonly value: T
}

/** Looks up ports and contributions. Filled during boot, read at any time after. */
export interface Wiring {
  /** Returns the implementation; throws when no loaded plugin provides the port. */
  use<T>(port: Port<T>): T
  /** Returns the implementation, or undefined when its provider is not loaded. */
  find<T>(port: Port<T>): T | undefined
  /** Lists contributions in the order in which plugins are set up. */
  extensions<T>(point: ExtensionPoint<T>): readonly T[]
  /** Lists the contributions with their contributors. */
  contributions<T>(point: ExtensionPoint<T>): readonly Contribution<T>[]
}

/** Identifies the contributor; a plugin's manifest will do. */
export interface Contributor {
  readonly id: string
  readonly feature?: string | undefined
}

/** The registry behind {@link Wiring}; the kernel fills it, plugins see the reading side as {@link Switchboard.viewFor} gives it. */
export class Switchboard implements Wiring {
  readonly #ports = new Map<string, { owner: string; implementation: unknown; declared: boolean }>()
  readonly #contributions = new Map<string, readonly Contribution<unknown>[]>()
  /** Keeps contributions without their contributors, so that a look-up costs nothing. */
  readonly #extensions = new Map<string, readonly unknown[]>()

  /** @param declared whether only plugins that list the port in their manifest's `uses` get it */
  bind(owner: string, binding: PortBinding, { declared = false } = {}): void {
    const taken = this.#ports.get(binding.port.id)
    if (taken) throw new Error(`plugin ${owner}: the port ${binding.port.id} is bound by ${taken.owner} already`)
    this.#ports.set(binding.port.id, { owner, implementation: binding.implementation, declared })
  }

  extend({ point, value }: Extension, { id, feature }: Contributor = { id: 'core' }): void {
    add(this.#contributions, point.id, { plugin: id, feature, value })
    add(this.#extensions, point.id, value)
  }

  use<T>(port: Port<T>): T {
    const found = this.find(port)
    if (found === undefined) throw new Error(`no loaded plugin provides the port ${port.id}`)
    return found
  }

  /** Returns what a plugin sees: all but the ports that its `uses` would have to list and does not. */
  viewFor(plugin: { readonly id: string; readonly uses?: readonly Port<unknown>[] }): Wiring {
    const uses = new Set(plugin.uses?.map(({ id }) => id))
    const admit = <T>(port: Port<T>): Port<T> => {
      if (!this.#ports.get(port.id)?.declared || uses.has(port.id)) return port
      throw new Error(`plugin ${plugin.id}: list the port ${port.id} in the manifest's "uses" to use it`)
    }
    return Object.freeze({
      use: port => {
        const found = this.find(admit(port))
        if (found !== undefined) return found
        throw new Error(`plugin ${plugin.id}: no loaded plugin provides the port ${port.id}; require the one that does`)
      },
      find: port => this.find(admit(port)),
      extensions: point => this.extensions(point),
      contributions: point => this.contributions(point),
    } satisfies Wiring)
  }

  // The types of both look-ups are erased in the maps and restored here: `bind` and `extend` only accept matching pairs.
  find<T>(port: Port<T>): T | undefined {
    return this.#ports.get(port.id)?.implementation as T | undefined
  }

  extensions<T>(point: ExtensionPoint<T>): readonly T[] {
    return (this.#extensions.get(point.id) ?? []) as T[]
  }

  contributions<T>(point: ExtensionPoint<T>): readonly Contribution<T>[] {
    return (this.#contributions.get(point.id) ?? []) as Contribution<T>[]
  }
}

/** Lists are handed out as they are, so each is frozen. */
function add<T>(lists: Map<string, readonly T[]>, id: string, item: T): void {
  lists.set(id, Object.freeze([...(lists.get(id) ?? []), item]))
}

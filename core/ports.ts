/**
 * A named, typed socket between plugins. The plugin that owns the contract defines the port, one plugin provides it,
 * any may use it. `definePort<MemorySearch>('memories.search')`.
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

/** What a plugin's `setup` returns for a port listed in its `provides`. */
export function bind<T>(port: Port<T>, implementation: T): PortBinding {
  return { port, implementation }
}

/**
 * A place where other plugins add to a plugin: steps, filters, hooks. The owner lists it in its manifest;
 * contributions come in the order in which plugins are set up.
 */
export interface ExtensionPoint<T> {
  readonly id: string
  readonly of?: T
}

export function defineExtensionPoint<T>(id: string): ExtensionPoint<T> {
  return { id }
}

export interface Extension {
  readonly point: ExtensionPoint<unknown>
  readonly value: unknown
}

/** A contribution to an extension point; the plugin must require (or optionally name) the point's owner. */
export function extend<T>(point: ExtensionPoint<T>, value: T): Extension {
  return { point, value }
}

/** Looks up ports and contributions. Filled during boot, read at any time after. */
export interface Wiring {
  /** The implementation; throws when no loaded plugin provides the port. */
  use<T>(port: Port<T>): T
  /** The implementation, or undefined when its provider is not loaded. */
  find<T>(port: Port<T>): T | undefined
  extensions<T>(point: ExtensionPoint<T>): readonly T[]
}

/** The registry behind {@link Wiring}; the kernel fills it, plugins see the reading side as {@link Switchboard.viewFor} gives it. */
export class Switchboard implements Wiring {
  readonly #ports = new Map<string, { owner: string; implementation: unknown; declared: boolean }>()
  readonly #extensions = new Map<string, unknown[]>()

  /** @param declared whether only plugins that list the port in their manifest's `uses` get it */
  bind(owner: string, binding: PortBinding, { declared = false } = {}): void {
    const taken = this.#ports.get(binding.port.id)
    if (taken) throw new Error(`port ${binding.port.id} is provided by both ${taken.owner} and ${owner}`)
    this.#ports.set(binding.port.id, { owner, implementation: binding.implementation, declared })
  }

  extend(extension: Extension): void {
    const list = this.#extensions.get(extension.point.id) ?? []
    list.push(extension.value)
    this.#extensions.set(extension.point.id, list)
  }

  use<T>(port: Port<T>): T {
    const found = this.find(port)
    if (found === undefined) throw new Error(`no loaded plugin provides the port ${port.id}`)
    return found
  }

  /** What a plugin sees: all but the ports that it would have to list in `uses` and does not. */
  viewFor(plugin: { readonly id: string; readonly uses?: readonly Port<unknown>[] }): Wiring {
    const uses = new Set(plugin.uses?.map(({ id }) => id))
    const admit = <T>(port: Port<T>): Port<T> => {
      if (!this.#ports.get(port.id)?.declared || uses.has(port.id)) return port
      throw new Error(`plugin ${plugin.id}: list the port ${port.id} in the manifest's "uses" to use it`)
    }
    return Object.freeze({
      use: port => this.use(admit(port)),
      find: port => this.find(admit(port)),
      extensions: point => this.extensions(point),
    } satisfies Wiring)
  }

  // The types of both look-ups are erased in the maps and restored here: `bind` and `extend` only accept matching pairs.
  find<T>(port: Port<T>): T | undefined {
    return this.#ports.get(port.id)?.implementation as T | undefined
  }

  extensions<T>(point: ExtensionPoint<T>): readonly T[] {
    return (this.#extensions.get(point.id) ?? []) as T[]
  }
}

import { lookup } from 'node:dns/promises'

/** Stands between the client and the world. Tests replace it, so that names and addresses are theirs. */
export interface Network {
  /** Resolves a host name to all its addresses, as the system does (hosts file, DNS). */
  resolve(host: string): Promise<readonly string[]>
  /** Tells where to open a connection to an address: there. */
  reach(address: string, port: number): { readonly host: string; readonly port: number }
  /** Certificates in PEM of authorities to trust; undefined for those of the runtime. */
  readonly authorities: readonly string[] | undefined
  /** An HTTP proxy through which every address is reached; undefined for none. Those of the environment do not count here. */
  readonly proxy?: URL | undefined
}

export const systemNetwork: Network = {
  resolve: async host => (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address),
  reach: (address, port) => ({ host: address, port }),
  authorities: undefined,
}

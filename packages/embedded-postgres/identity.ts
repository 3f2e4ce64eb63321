import type { Backend } from './backend.ts'
import { textsOf } from './replies.ts'
import { queryFrame } from './wire.ts'

/**
 * A client's statements run as one of these: the superuser that owns all tables, the role of requests, or the superuser for the queue of
 * jobs, whose commits are not worth a write of their own: they reach the disk with the next commit of anybody else.
 */
export type Identity = 'owner' | 'request' | 'queue'

/** The role that `initdb` makes has this id in every Postgres (`BOOTSTRAP_SUPERUSERID`). */
const OWNER_OID = 10

/**
 * `SECURITY_LOCAL_USERID_CHANGE` of Postgres's `miscadmin.h`, the state inside a function that runs with other rights: Postgres itself
 * then refuses to set or reset the role and the session's user, by whatever statement or function somebody tries.
 */
const LOCKED_USER = 1

/**
 * Keeps the clients of the one session apart by their rights. A request's client could otherwise regain the owner's rights with
 * `reset role`, since the session has been the owner's from its start. No SQL text is looked at.
 */
export class Identities {
  readonly #backend: Pick<Backend, 'actAs'>
  readonly #execute: (messages: Uint8Array[]) => Uint8Array
  readonly #requestRole: string
  #current: 'owner' | 'request' = 'owner'
  #commitsLazily = false
  #requestOid: number | undefined

  /** @param execute runs messages of the multiplexer's own in the session, which loses its unnamed statement by them */
  constructor(backend: Pick<Backend, 'actAs'>, execute: (messages: Uint8Array[]) => Uint8Array, requestRole: string) {
    this.#backend = backend
    this.#execute = execute
    this.#requestRole = requestRole
  }

  /**
   * Runs the following statements as this identity, transactions and what ends them included. Call it only between
   * transactions: one under way keeps the identity it began with.
   * @returns false when there is no such role yet, and nothing has changed
   */
  become(identity: Identity): boolean {
    if (identity === 'request') {
      // As the owner, since the setting outlives the change of rights.
      if (this.#commitsLazily) this.#commitLazily(false)
      return this.#becomeRequest()
    }
    if (this.#current === 'request') {
      this.#backend.actAs(OWNER_OID, 0)
      this.#current = 'owner'
      // A client's session settings would otherwise go over to the owner's statements.
      this.#execute([queryFrame('reset all')])
    }
    if (this.#commitsLazily !== (identity === 'queue')) this.#commitLazily(identity === 'queue')
    return true
  }

  #commitLazily(lazily: boolean): void {
    this.#execute([queryFrame(`set synchronous_commit = ${lazily ? 'off' : 'on'}`)])
    this.#commitsLazily = lazily
  }

  #becomeRequest(): boolean {
    this.#requestOid ??= this.#findRole()
    if (this.#requestOid === undefined) return false
    // This happens each time and not at changes only, so that no state of the session can stand for it.
    this.#backend.actAs(this.#requestOid, LOCKED_USER)
    this.#current = 'request'
    return true
  }

  #findRole(): number | undefined {
    this.become('owner')
    const query = `select oid::text from pg_catalog.pg_roles where rolname = '${this.#requestRole}' and not rolsuper`
    const [oid] = textsOf(this.#execute([queryFrame(query)]))
    return oid === undefined ? undefined : Number(oid)
  }
}

import type { Db, Tx } from '@svc/core'
import type { LockedAccount, ServiceAccount } from '../accounts/accounts.ts'
import type { Author, CallerFacts, RequestOrigin } from '../caller/caller.ts'
import type { RegistrationContext } from '../configure-auth.ts'
import type { LetIn } from './fields.ts'

/** What can prove the second factor. */
export type SecondFactor = 'totp' | 'passkey'

/** An account whose keys end, or that gets its first second factor. */
export interface Ended {
  readonly userId: string
  readonly now: Date
}

/** The account whose keys have let something in. */
export interface Owner {
  readonly userId: string
  readonly generation: number
  readonly now: Date
}

/** Something live that a key of the account has let in. */
export interface Made {
  /**
   * As the owner sees it among the devices. The `kind` of a further capability begins with the
   * capability's name: `cards/card`. Give it a `name`, because the page of devices has no word for
   * it.
   */
  readonly item: LetIn
  /** That key, which may have ended. Null where no device key approved it. */
  readonly maker: string | null
  /** It waits for a second factor: it is not listed, and it ends with the others. */
  readonly isPending: boolean
}

/** A key is replaced by another. */
export interface Succession {
  readonly userId: string
  readonly from: string
  readonly to: string
}

/** The account that is exported. */
export interface ExportedAccount {
  readonly userId: string
  readonly secondFactorSince: Date | null
}

/** An account whose credentials may be an attacker's, if they were added at that moment or later. */
export interface Doubted extends Author {
  readonly account: LockedAccount
  readonly since: Date
  readonly reason: 'contact_undo' | 'first_proof'
  readonly now: Date
}

/** The accounts that are signed out, when, and why: for `endEveryone` of a capability. */
export interface EveryoneEnd {
  readonly userIds: string[]
  readonly reason: string
  readonly now: Date
}

/**
 * Which of the things that the keys of an account have let in to end: for `end` of a capability.
 */
export interface MadeEnd {
  readonly userId: string
  readonly ids: readonly string[]
  /** Who ends it: its owner unless set. */
  readonly actor?: string
  readonly origin: RequestOrigin
  readonly now: Date
}

/** The same, with the capability's part that has found it and can end it. */
export interface FoundMade extends Made {
  readonly end: ((tx: Tx, ending: MadeEnd) => Promise<string[]>) | undefined
}

/** What keys let in besides keys: approvals that wait, and grants of agents. */
export interface MadeParts<Held> {
  find(db: Db, owner: Owner): Promise<Made[]>
  /** Moves what a key has let in to its successor. */
  handOn(tx: Tx, succession: Succession): Promise<void>
  /** Ends what it has found, if that can end with its key. Returns the ids of what has ended. */
  end?(tx: Tx, ending: MadeEnd, held: Held): Promise<string[]>
}

/** A user of a provider that accounts are linked with. */
interface Elsewhere {
  readonly provider: string
  readonly providerUserId: string
}

/** A user who connects an agent. */
export interface Consenting {
  readonly userId: string
  /** What is known of the user, and of the key that has signed. */
  readonly facts: CallerFacts
}

/** A tenant that an agent can be connected for. */
export interface Grantee {
  readonly id: string
  readonly name: string
}

/** A consent for a tenant. */
export interface Connection extends Consenting {
  readonly tenant: string
  readonly client: { readonly clientId: string; readonly name: string }
  readonly origin: RequestOrigin
}

/** What tenants agents can be connected for, instead of a person. */
export interface GranteeParts<Held> {
  /** Those for which this user may do it, in the order of a page. */
  find(db: Db, user: Consenting, held: Held): Promise<Grantee[]>
  /**
   * Makes the account of the agent, which belongs to the tenant and may do no more there than the user. `unknown` for
   * everything that `find` does not return now: lock the tenant, and ask again. `full` if it can have no more accounts.
   */
  take(tx: Tx, connection: Connection, held: Held): Promise<ServiceAccount | 'unknown' | 'full'>
}

/**
 * What a capability stores for an account, and what happens to it. Parts run in the order of the
 * list of capabilities, which is an order of locks; with a `tx` they run in the caller's
 * transaction.
 */
export interface AccountParts<Held> {
  /** Removes what it stores for an account that is purged. */
  forget?(tx: Tx, account: LockedAccount, held: Held): Promise<void>
  /** What it adds to an account's export, by the member of the export. */
  export?: Readonly<Record<string, (db: Db, account: ExportedAccount) => Promise<unknown>>>
  /** Deletes what has expired and can have no effect any more. */
  sweep?(db: Db, now: Date, held: Held): Promise<void>
  /** Refuses devices that wait to sign in as the account, before its keys end. */
  refuseWaiting?(tx: Tx, ended: Ended): Promise<void>
  /**
   * Ends, for every account, what could still lead to a sign-in. It also runs without a server.
   * Each statement commits alone, so that none waits for a row while it holds another. Returns how
   * many there were, by name.
   */
  endUnderWay?(db: Db, now: Date): Promise<Readonly<Record<string, number>>>
  /**
   * Ends, for accounts that are signed out, the other credentials that act as them besides keys.
   * Returns how many.
   */
  endEveryone?(tx: Tx, ending: EveryoneEnd): Promise<Readonly<Record<string, number>>>
  /** Removes the doubted credentials besides keys, which all end. */
  dropDoubted?(tx: Tx, doubted: Doubted, held: Held): Promise<void>
  /** How many ways into the account it knows of, from a device that has not signed in yet. */
  waysIn?(tx: Tx, account: LockedAccount, held: Held): Promise<number>
  /** The account that a user elsewhere is linked to, by the id of the provider and the user's id there. */
  linked?(db: Db, elsewhere: Elsewhere): Promise<string | null>
  /** The issuer of a provider that accounts are linked with. Undefined if it has none, or is unknown. */
  issuerOf?(provider: string, held: Held): string | undefined
  /** Which of its second factors the account has. */
  secondFactors?(db: Db, userId: string): Promise<SecondFactor[]>
  /** The account has no second factor any more. */
  secondFactorEnded?(tx: Tx, userId: string): Promise<void>
  made?: MadeParts<Held>
  grantees?: GranteeParts<Held>
  /** Runs in the transaction of every new account; a `RegistrationRejectedError` refuses it. */
  beforeRegister?(context: RegistrationContext, tx: Tx): Promise<void> | void
}

/** The parts of all capabilities that a server runs. */
export interface RunningParts extends EveryoneParts {
  forget(tx: Tx, account: LockedAccount): Promise<void>
  export(db: Db, account: ExportedAccount): Promise<Record<string, unknown>>
  sweep(db: Db, now: Date): Promise<void>
  refuseWaiting(tx: Tx, ended: Ended): Promise<void>
  dropDoubted(tx: Tx, doubted: Doubted): Promise<void>
  waysIn(tx: Tx, account: LockedAccount): Promise<number>
  linked(db: Db, elsewhere: Elsewhere): Promise<string | null>
  issuerOf(provider: string): string | undefined
  secondFactors(db: Db, userId: string): Promise<SecondFactor[]>
  secondFactorEnded(tx: Tx, userId: string): Promise<void>
  beforeRegister(context: RegistrationContext, tx: Tx): Promise<void>
  readonly made: {
    find(db: Db, owner: Owner): Promise<FoundMade[]>
    handOn(tx: Tx, succession: Succession): Promise<void>
  }
  readonly grantees: {
    find(db: Db, user: Consenting): Promise<Grantee[]>
    take(tx: Tx, connection: Connection): Promise<ServiceAccount | 'unknown' | 'full'>
  }
  /**
   * Whether an operation that signs in tells the owner in its own words, instead of the mail about
   * a new device.
   */
  isTold(operation: string): boolean
  /** The purposes of links of further capabilities, as stored in rows. */
  linkPurposes(): readonly `${string}/${string}`[]
}

/** The parts that run without a server too, for `svc sign-out-everyone`. */
export interface EveryoneParts {
  endUnderWay(db: Db, now: Date): Promise<Record<string, number>>
  endEveryone(tx: Tx, ending: EveryoneEnd): Promise<Record<string, number>>
}

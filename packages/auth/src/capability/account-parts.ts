import type { Db, Tx } from '@svc/core'
import type { LockedAccount } from '../accounts/accounts.ts'
import type { RequestOrigin } from '../caller/caller.ts'
import type { RegistrationContext } from '../configure-auth.ts'
import type { LetIn } from './fields.ts'

/** What can prove the second factor. */
export type SecondFactor = 'totp' | 'passkey'

/** An account whose keys end, or that gets its first second factor. */
export interface Ended {
  readonly userId: string
  readonly now: Date
}

/** Whose keys have let something in. */
export interface Owner {
  readonly userId: string
  readonly generation: number
  readonly now: Date
}

/** Something that lives, and that a key of the account has let in. */
export interface Made {
  /**
   * As the owner sees it among the devices. The `kind` of a further capability begins with its name: `cards/card`. Give
   * it a `name`, because the page of the devices knows no word for it.
   */
  readonly item: LetIn
  /** That key, which may have ended. Null where no device key approved it. */
  readonly maker: string | null
  /** A key that waits for a second factor: it is not listed, and it ends with the others. */
  readonly isPending: boolean
}

/** A key is replaced by another. */
export interface Succession {
  readonly userId: string
  readonly from: string
  readonly to: string
}

/** The account that an export is of. */
export interface ExportedAccount {
  readonly userId: string
  readonly secondFactorSince: Date | null
}

export interface EveryoneEnd {
  readonly userIds: string[]
  readonly reason: string
  readonly now: Date
}

export interface MadeEnd {
  readonly userId: string
  readonly ids: readonly string[]
  /** Who ends it: its owner unless set. */
  readonly actor?: string
  readonly origin: RequestOrigin
  readonly now: Date
}

/** The same, with what ends it: the part of the capability that has found it. */
export interface FoundMade extends Made {
  readonly end: ((tx: Tx, ending: MadeEnd) => Promise<string[]>) | undefined
}

/** What keys let in that are no keys: approvals that wait, grants of agents. */
export interface MadeParts<Held> {
  find(db: Db, owner: Owner): Promise<Made[]>
  /** Moves what a key has let in to its successor. */
  handOn(tx: Tx, succession: Succession): Promise<void>
  /** Ends what it has found, where that can be ended with its key. Answers the ids of what has ended. */
  end?(tx: Tx, ending: MadeEnd, held: Held): Promise<string[]>
}

/**
 * What a capability keeps of an account, and what becomes of it. Parts run in the order of the list of capabilities,
 * which is an order of locks; with a `tx` they are in the caller's transaction.
 */
export interface AccountParts<Held> {
  /** Removes what it keeps of an account that is purged. */
  forget?(tx: Tx, account: LockedAccount, held: Held): Promise<void>
  /** What an account may take with it, by the member of the export. */
  export?: Readonly<Record<string, (db: Db, account: ExportedAccount) => Promise<unknown>>>
  /** Deletes what has expired and can have no effect any more. */
  sweep?(db: Db, now: Date, held: Held): Promise<void>
  /** Refuses what waits to sign in as the account, before its keys end. */
  refuseWaiting?(tx: Tx, ended: Ended): Promise<void>
  /**
   * Ends, for every account, what could still lead to a sign-in. It runs without a server too. Each statement for
   * itself, so that none waits for a row while it holds another. Answers how many there were, by what they are called.
   */
  endUnderWay?(db: Db, now: Date): Promise<Readonly<Record<string, number>>>
  /** Ends, for accounts that are signed out, what acts as them beside their keys. Answers how many. */
  endEveryone?(tx: Tx, ending: EveryoneEnd): Promise<Readonly<Record<string, number>>>
  /** How many ways into the account it knows of, on a device that has not signed in yet. */
  waysIn?(tx: Tx, account: LockedAccount, held: Held): Promise<number>
  /** Which second factors the account has of it. */
  secondFactors?(db: Db, userId: string): Promise<SecondFactor[]>
  /** The account has no second factor any more. */
  secondFactorEnded?(tx: Tx, userId: string): Promise<void>
  made?: MadeParts<Held>
  /** Runs in the transaction of every new account; a `RegistrationRejectedError` refuses it. */
  beforeRegister?(context: RegistrationContext, tx: Tx): Promise<void> | void
}

/** The parts of all capabilities that a server runs. */
export interface RunningParts extends EveryoneParts {
  forget(tx: Tx, account: LockedAccount): Promise<void>
  export(db: Db, account: ExportedAccount): Promise<Record<string, unknown>>
  sweep(db: Db, now: Date): Promise<void>
  refuseWaiting(tx: Tx, ended: Ended): Promise<void>
  waysIn(tx: Tx, account: LockedAccount): Promise<number>
  secondFactors(db: Db, userId: string): Promise<SecondFactor[]>
  secondFactorEnded(tx: Tx, userId: string): Promise<void>
  beforeRegister(context: RegistrationContext, tx: Tx): Promise<void>
  readonly made: {
    find(db: Db, owner: Owner): Promise<FoundMade[]>
    handOn(tx: Tx, succession: Succession): Promise<void>
  }
  /** Whether an operation that signs in has its own words for the owner, in the place of the mail about a new device. */
  isTold(operation: string): boolean
  /** What the links of further capabilities are for, as rows call it. */
  linkPurposes(): readonly `${string}/${string}`[]
}

/** Those that run without a server too, for `svc sign-out-everyone`. */
export interface EveryoneParts {
  endUnderWay(db: Db, now: Date): Promise<Record<string, number>>
  endEveryone(tx: Tx, ending: EveryoneEnd): Promise<Record<string, number>>
}

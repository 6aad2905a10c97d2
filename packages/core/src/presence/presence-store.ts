/** A subject that follows the channel of a resource. */
export interface PresentSubject {
  /** The channel's own name, not that of a router. */
  readonly channel: string
  readonly resource: string
  readonly subject: string
}

/** One of the connections by which it does. */
export interface Follower extends PresentSubject {
  readonly connection: string
}

export type Resource = Omit<PresentSubject, 'subject'>

export interface FollowerChanges {
  readonly arrived: readonly Follower[]
  /** Their clients have left them. */
  readonly left: readonly Follower[]
  /** They have broken off: their clients may be on their way back. */
  readonly dropped: readonly Follower[]
}

/** Those of whom the first connection has come, and those of whom the last has gone. */
export interface Told {
  readonly joined: readonly PresentSubject[]
  readonly left: readonly PresentSubject[]
}

/** Says it as a part of the change that it is about. */
export type Tell = (told: Told) => Promise<void>

/** How long an instance has its connections for without a word of it. */
export const leaseMillis = 30_000

/** How long a connection that has broken off is kept, and one of a server that has shut down. */
export const graceMillis = 15_000

/** The most that is changed at once. Each subject of it takes a lock, of which a database has some thousands for all. */
export const mostAtOnce = 256

/**
 * Who follows the channels of resources. Of each subject, what is told alternates: it has joined when its first
 * connection is written, and left when its last is gone.
 */
export interface PresenceStore {
  /** Whether other instances have the same. */
  readonly isShared: boolean
  open(): Promise<void>
  write(changes: FollowerChanges, tell: Tell): Promise<void>
  /** Drops connections whose lease is over. Answers how many there were: at most `mostAtOnce`. */
  sweep(tell: Tell): Promise<number>
  /** Holds this instance's connections. False where they may have been dropped before. */
  renew(): Promise<boolean>
  /** The subjects that have a connection whose lease holds. */
  present(resource: Resource): Promise<string[]>
  /** Those who have joined and not left, as it was told. */
  followersOf(resources: readonly Resource[]): Promise<PresentSubject[]>
  /** Which of them have joined and not left, as it was told. */
  following(subjects: readonly PresentSubject[]): Promise<PresentSubject[]>
  /** This instance's connections are kept for as long as their clients need to come back. */
  close(): Promise<void>
}

/** Each subject once, of those that are in the first list and not in the second. */
export function without(subjects: readonly PresentSubject[], others: readonly PresentSubject[]) {
  const left = new Map(subjects.map((each) => [keyOf(each), each]))
  for (const each of others) left.delete(keyOf(each))
  return [...left.values()]
}

function keyOf({ channel, resource, subject }: PresentSubject) {
  return JSON.stringify([channel, resource, subject])
}

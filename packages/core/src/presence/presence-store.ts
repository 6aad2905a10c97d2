/** A subject that follows the channel of a resource. */
export interface PresentSubject {
  /** The channel's own name, not its name in a router. */
  readonly channel: string
  readonly resource: string
  readonly subject: string
}

/** One of the connections of such a subject. */
export interface Follower extends PresentSubject {
  readonly connection: string
}

export type Resource = Omit<PresentSubject, 'subject'>

export interface FollowerChanges {
  readonly arrived: readonly Follower[]
  /** Their clients have closed them. */
  readonly left: readonly Follower[]
  /** Their connections broke: their clients may be reconnecting. */
  readonly dropped: readonly Follower[]
}

/** Subjects whose first connection has come, and subjects whose last one has gone. */
export interface Told {
  readonly joined: readonly PresentSubject[]
  readonly left: readonly PresentSubject[]
}

/** Tells it as a part of the change. */
export type Tell = (told: Told) => Promise<void>

/** How long the connections of a silent instance are kept. */
export const leaseMillis = 30_000

/** How long a broken connection is kept, and one of a server that has shut down. */
export const graceMillis = 15_000

/**
 * The most subjects that one change may have. Each of them takes a lock, and a database has some
 * thousands for all.
 */
export const mostAtOnce = 256

/**
 * The followers of the channels of resources. For each subject, the messages alternate: it has
 * joined when its first connection is written, and left when its last one is gone.
 */
export interface PresenceStore {
  /** Whether other instances share it. */
  readonly isShared: boolean
  open(): Promise<void>
  write(changes: FollowerChanges, tell: Tell): Promise<void>
  /** Drops connections whose lease has ended. Returns how many there were: at most `mostAtOnce`. */
  sweep(tell: Tell): Promise<number>
  /**
   * Extends the lease of this instance's connections. False if they may have been dropped before.
   */
  renew(): Promise<boolean>
  /** The subjects that have a connection with a valid lease. */
  present(resource: Resource): Promise<string[]>
  /** The subjects that were told as joined, and not as left. */
  followersOf(resources: readonly Resource[]): Promise<PresentSubject[]>
  /** Those of them that were told as joined, and not as left. */
  following(subjects: readonly PresentSubject[]): Promise<PresentSubject[]>
  /** This instance's connections are kept until their clients have had time to reconnect. */
  close(): Promise<void>
}

/** Each subject once: those in the first list that are not in the second. */
export function without(subjects: readonly PresentSubject[], others: readonly PresentSubject[]) {
  const left = new Map(subjects.map((each) => [keyOf(each), each]))
  for (const each of others) left.delete(keyOf(each))
  return [...left.values()]
}

function keyOf({ channel, resource, subject }: PresentSubject) {
  return JSON.stringify([channel, resource, subject])
}

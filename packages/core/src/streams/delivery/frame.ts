/** One emission on its way to streams. It is serialised once for all of them. */
export interface Frame {
  /** Distinguishes the positions of one log, or of one process, from those of another. */
  readonly epoch: string
  /** Counts the emissions of a router. */
  readonly seq: number
  /** The router's key of its event, or `gap`. */
  readonly key: string
  /** The name that streams ask for: the key, and for a channel a colon and the resource. */
  readonly name: string
  /**
   * The name on the wire: `name`, or `presence` if it tells who follows the channel of that name.
   */
  readonly wireName: string
  /** The payload as it is sent, for filters and presence; otherwise undefined. */
  readonly payload: unknown
  readonly json: string
  /** The recipients; undefined if it is for every stream. */
  readonly subjects: readonly string[] | undefined
  /** Called for each group that it has been written to, if there is an observer. */
  readonly written?: (() => void) | undefined
}

/** Sent to a stream that stays open when it may have missed something. No event has this name. */
export const gap = 'gap'

/** Whether a stream that asked for these events should get a frame. */
export function isAbout(frame: Pick<Frame, 'name'>, names: readonly string[]) {
  return frame.name === gap || names.includes(frame.name)
}

export function idOf({ epoch, seq }: Pick<Frame, 'epoch' | 'seq'>) {
  return `${epoch}-${seq}`
}

/** How frames are written. Streams with the same form share the bytes. */
export interface StreamForm {
  readonly name: string
  /** Encodes the frames of one turn as the bytes of one write. */
  encode(frames: readonly Frame[]): Buffer
  /** The bytes of a message that is no emission and has no position. */
  encodeAside(wireName: string, json: string): Buffer
}

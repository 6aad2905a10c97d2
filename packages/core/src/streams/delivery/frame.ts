/** One emission on its way to streams. It is serialised once, however many there are. */
export interface Frame {
  /** Tells the positions of one log, or of one process, from those of another. */
  readonly epoch: string
  /** Counts the emissions of a router. */
  readonly seq: number
  /** The router's key of its event, or `gap`. */
  readonly key: string
  /** What streams ask for: the key, and behind a colon the resource where it is a channel. */
  readonly name: string
  /** What it is called on the wire: the name, or `presence` where it tells who follows the channel of that name. */
  readonly wireName: string
  /** What a filter is asked about, as it is sent, and who comes or goes; else undefined. */
  readonly payload: unknown
  readonly json: string
  /** Whose it is; undefined where it is for every stream. */
  readonly subjects: readonly string[] | undefined
  /** Called for each group that it has been written to, where an observer watches. */
  readonly written?: (() => void) | undefined
}

/** What a stream that stays open is sent when it may have missed something. No event has this name. */
export const gap = 'gap'

/** Whether a stream that asked for these events is to know of a frame. */
export function isAbout(frame: Pick<Frame, 'name'>, names: readonly string[]) {
  return frame.name === gap || names.includes(frame.name)
}

export function idOf({ epoch, seq }: Pick<Frame, 'epoch' | 'seq'>) {
  return `${epoch}-${seq}`
}

/** How frames are written; streams of one form share the bytes. */
export interface StreamForm {
  readonly name: string
  /** Makes the frames of one turn into the bytes of one write. */
  encode(frames: readonly Frame[]): Buffer
  /** The bytes of what is no emission, and has no place among them. */
  encodeAside(wireName: string, json: string): Buffer
}

/** One emission on its way to streams. It is serialised once, however many there are. */
export interface Frame {
  /** Counts the emissions of a router in this process. */
  readonly seq: number
  /** The router's key of its event. */
  readonly name: string
  /** What a filter is asked about, as it is sent; undefined where there is none. */
  readonly payload: unknown
  readonly json: string
  /** Whose it is; undefined for everybody's. */
  readonly subjects: readonly string[] | undefined
  /** Called for each group that it has been written to, where somebody watches. */
  readonly written?: (() => void) | undefined
}

/** How frames are written; streams of one form share the bytes. */
export interface StreamForm {
  readonly name: string
  /** Makes the frames of one turn into the bytes of one write. */
  encode(frames: readonly Frame[]): Buffer
}

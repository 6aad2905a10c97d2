export interface Explanation {
  seen: string
  why: string
  /** Lines that begin with two spaces are for copying. */
  fix: readonly string[]
}

/** The result of one check of a deployment. */
export type Finding =
  | { mark: 'right'; title: string; note?: string }
  | ({ mark: 'doubtful' | 'wrong'; title: string } & Explanation)

export function right(title: string, note?: string): Finding {
  return { mark: 'right', title, ...(note !== undefined && { note }) }
}

/** May be intended, and doesn't prevent a sign-in by itself. */
export function doubtful(title: string, explanation: Explanation): Finding {
  return { mark: 'doubtful', title, ...explanation }
}

export function wrong(title: string, explanation: Explanation): Finding {
  return { mark: 'wrong', title, ...explanation }
}

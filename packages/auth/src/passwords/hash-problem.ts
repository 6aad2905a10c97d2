/** Why a stored text cannot be verified here. These stand in reports: never the text itself. */
export type HashProblem =
  | 'hash_unknown'
  | 'hash_malformed'
  | 'hash_too_costly'
  | 'hash_needs_newer_node'

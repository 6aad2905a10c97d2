interface Props {
  /** What went wrong. A screen reader reads it at once. */
  problem?: string
  /** What has been done. */
  done?: string
}

/**
 * The result of a form. Both lines are always there, so that a screen reader announces a change.
 */
export function Outcome({ problem = '', done = '' }: Props) {
  return (
    <div className="svc-small">
      <p role="status" className="svc-faded">
        {problem ? '' : done}
      </p>
      <p role="alert" className="svc-problem">
        {problem}
      </p>
    </div>
  )
}

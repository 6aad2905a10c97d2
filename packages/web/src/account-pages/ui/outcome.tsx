interface Props {
  /** What went wrong; it is read out at once. */
  problem?: string
  /** What has been done. */
  done?: string
}

/** What came of a form. Both lines are always there: a screen reader tells what changes in them. */
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

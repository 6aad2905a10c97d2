import type { LoadProblem } from './load-problem.ts'

const words = {
  'no answer': 'The API does not answer',
  error: 'The API answers with errors',
}

interface Props {
  problem: LoadProblem | null
  /** New notices appear as they are posted. */
  isLive: boolean
}

export function ConnectionStatus({ problem, isLive }: Props) {
  return (
    <p role="status" className="flex items-center gap-2 text-faded text-sm">
      <span
        aria-hidden="true"
        className={`size-2 rounded-full ${problem ? 'bg-danger' : 'bg-accent'}`}
      />
      {problem ? words[problem] : `Connected to the API${isLive ? ', live' : ''}`}
    </p>
  )
}

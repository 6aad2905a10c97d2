import type { LoadProblem } from './load-problem.ts'

const words = {
  'no answer': 'The API does not answer',
  error: 'The API answers with errors',
}

export function ConnectionStatus({ problem }: { problem: LoadProblem | null }) {
  return (
    <p role="status" className="flex items-center gap-2 text-faded text-sm">
      <span
        aria-hidden="true"
        className={`size-2 rounded-full ${problem ? 'bg-danger' : 'bg-accent'}`}
      />
      {problem ? words[problem] : 'Connected to the API'}
    </p>
  )
}

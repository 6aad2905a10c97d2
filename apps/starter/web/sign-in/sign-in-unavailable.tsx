const panel = 'rounded-xl border border-line bg-sheet p-5'
const explanation = 'mt-1 max-w-prose text-faded text-sm'

/** There is a key on this device, and the API does not say whose. */
export function OwnerUnknown({ because, onRetry }: { because: string; onRetry: () => void }) {
  return (
    <div className={panel}>
      <h2 className="font-medium">This device has signed in before</h2>
      <p role="status" className={explanation}>
        Its key is kept. {because}
      </p>
      <button
        type="button"
        onClick={onRetry}
        className="mt-4 rounded-lg border border-edge px-4 py-2 font-medium text-sm hover:border-faded"
      >
        Ask again
      </button>
    </div>
  )
}

/** This page can make or keep no key. */
export function SignInImpossible({ because }: { because: string }) {
  return (
    <div className={panel}>
      <h2 className="font-medium">Nobody can sign in here</h2>
      <p className={explanation}>{because}</p>
    </div>
  )
}

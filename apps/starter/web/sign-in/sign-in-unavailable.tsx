const panel = 'rounded-xl border border-line bg-sheet p-5'
const explanation = 'mt-1 max-w-prose text-faded text-sm'

/** There is a key on this device, and the API does not say whose. */
export function OwnerUnknown({ because, onRetry }: { because: string; onRetry: () => void }) {
  return (
    <div className={panel}>
      <h2 className="font-medium">This device has signed in before</h2>
      <p role="status" className={explanation}>
        Whose key it has could not be asked. {because} The page asks again by itself.
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

/** Browsers make keys for pages that came over https, or from this machine. */
export function InsecurePage() {
  return (
    <div className={panel}>
      <h2 className="font-medium">Nobody can sign in over plain http</h2>
      <p className={explanation}>
        Signing in makes a key on this device, which browsers allow over https and on localhost
        only. Everybody may read the board.
      </p>
    </div>
  )
}

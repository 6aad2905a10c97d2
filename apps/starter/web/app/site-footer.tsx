import { isOnThisMachine, publicApiUrl } from '../env.ts'

// In production, the API serves no documents.
const ofDevelopment = [
  { path: '/_core/openapi.json', label: 'OpenAPI' },
  { path: '/_core/asyncapi.json', label: 'AsyncAPI' },
]
const documents = [
  ...(isOnThisMachine ? ofDevelopment : []),
  { path: '/_core/health', label: 'Health' },
]

/** What the API says of itself. */
export function SiteFooter() {
  return (
    <footer className="mt-16 border-line border-t py-6 text-faded text-sm">
      <nav aria-label="The API" className="flex flex-wrap gap-x-5 gap-y-1">
        <span>The API:</span>
        {documents.map(({ path, label }) => (
          <a
            key={path}
            href={`${publicApiUrl}${path}`}
            className="underline decoration-line underline-offset-4 hover:text-ink hover:decoration-current"
          >
            {label}
          </a>
        ))}
      </nav>
    </footer>
  )
}

export const contextExample = {
  context: `## About the user

Ada prefers TypeScript and lives in Porto. She keeps bees.

## Facts

- Grace Hopper works at Initech, since May 2026
- Grace Hopper worked at Acme, until May 2026

## Memories

- 2026-06-01: Ada and Grace meet for lunch on Fridays.
- 2026-05-12: Grace does not eat fish.
- 2024-02-03 (holds no more): Ada has lunch with Grace at Acme.`,
  memories: [
    { id: '0198c1de-7d5e-7b8c-9a51-1c8f8f0f7f11', score: 0.81, excerpt: false, ended: false },
    { id: '0198c1de-7d5e-7b8c-9a51-1c8f8f0f7f12', score: 0.74, excerpt: false, ended: false },
    { id: '0198c1de-7d5e-7b8c-9a51-1c8f8f0f7f13', score: 0.52, excerpt: false, ended: true },
  ],
  query_hash: '6f2c1b0a9d8e7f66',
}

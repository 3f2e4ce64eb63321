export const callExample = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'search_memories', arguments: { query: 'Which tea does Ada like?', user_id: 'ada' } },
}

export const replyExample = {
  jsonrpc: '2.0',
  id: 1,
  result: {
    content: [
      {
        type: 'text',
        text: '{"memories":[{"id":"0198c1a0-3f5e-7cc2-9d0e-5a1b2c3d4e5f","memory":"Ada likes green tea.","score":0.82,"user_id":"ada"}],"total":1}',
      },
    ],
    isError: false,
  },
}

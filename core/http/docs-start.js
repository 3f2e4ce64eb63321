// Runs in the browser: shows the reference page.

/**
 * Swagger UI fills every field of a form with a sample and sends even empty ones, so a form that nobody touched would name
 * a made-up workspace. Here optional fields begin empty, and are sent empty only where somebody asks for it.
 */
const emptyOptionalFields = {
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: update => document => {
          for (const operation of Object.values(document.paths ?? {}).flatMap(Object.values)) {
            empty(operation.requestBody?.content?.['multipart/form-data']?.schema)
          }
          return update(document)
        },
      },
    },
  },
  wrapComponents: {
    ParameterIncludeEmpty:
      (Original, { React }) =>
      ({ isIncludedOptions: options, ...props }) =>
        React.createElement(Original, {
          ...props,
          ...(options ? { isIncludedOptions: { ...options, defaultValue: false } } : {}),
        }),
  },
}

function empty({ properties = {}, required = [] } = {}) {
  for (const [name, property] of Object.entries(properties)) {
    if (required.includes(name)) continue
    const { default: _, ...rest } = property
    properties[name] = { ...rest, examples: [property.type === 'array' ? [] : ''] }
  }
}

SwaggerUIBundle({
  // Beside the page, which may lie below a path.
  url: 'openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  validatorUrl: null,
  plugins: [emptyOptionalFields],
})

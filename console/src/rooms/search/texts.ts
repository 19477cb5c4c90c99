import { defineTexts } from "@/texts";

export const useSearchWords = defineTexts("search", {
  es: {
    title: "Buscar verificaciones",
    field: "Id, referencia, nombre, CURP, RFC, teléfono o correo",
    anyStatus: "Cualquier estado",
    status: "Estado",
    reference: "Referencia",
    created: "Creada",
    id: "Id",
    count_one: "{{count}} verificación",
    count_other: "{{count}} verificaciones",
    none: "Ninguna verificación coincide.",
    focus: "Ir al campo de búsqueda",
    down: "Bajar en la lista",
    up: "Subir en la lista",
  },
  en: {
    title: "Search verifications",
    field: "Id, reference, name, CURP, RFC, phone or e-mail",
    anyStatus: "Any status",
    status: "Status",
    reference: "Reference",
    created: "Created",
    id: "Id",
    count_one: "{{count}} verification",
    count_other: "{{count}} verifications",
    none: "No verification matches.",
    focus: "Go to the search field",
    down: "Move down the list",
    up: "Move up the list",
  },
});

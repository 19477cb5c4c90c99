import { defineTexts } from "@/texts";

export const useSearchWords = defineTexts("search", {
  es: {
    title: "Buscar verificaciones",
    enterOpens: "Enter abre la verificación con este id.",
    field: "Id, referencia, nombre, CURP, RFC, teléfono o correo",
    anyStatus: "Cualquier estado",
    status: "Estado",
    from: "Creada desde",
    to: "Creada hasta",
    reference: "Referencia",
    created: "Creada",
    id: "Id",
    count_one: "{{count, number}} verificación",
    count_other: "{{count, number}} verificaciones",
    moreCount_one: "Más de {{count, number}} verificación. Un texto más largo encuentra menos.",
    moreCount_other: "Más de {{count, number}} verificaciones. Un texto más largo encuentra menos.",
    noneYet: "Ninguna entre las 8,000 más nuevas. «Más» busca en las anteriores; un periodo, más rápido.",
    shortCount_one:
      "{{count, number}} verificación entre las 8,000 más nuevas. Escribe tres letras para buscar en todas.",
    shortCount_other:
      "{{count, number}} verificaciones entre las 8,000 más nuevas. Escribe tres letras para buscar en todas.",
    none: "Ninguna verificación coincide.",
    focus: "Ir al campo de búsqueda",
    down: "Bajar en la lista",
    up: "Subir en la lista",
  },
  en: {
    title: "Search verifications",
    enterOpens: "Enter opens the verification with this id.",
    field: "Id, reference, name, CURP, RFC, phone or e-mail",
    anyStatus: "Any status",
    status: "Status",
    from: "Created from",
    to: "Created until",
    reference: "Reference",
    created: "Created",
    id: "Id",
    count_one: "{{count, number}} verification",
    count_other: "{{count, number}} verifications",
    moreCount_one: "More than {{count, number}} verification. A longer text finds fewer.",
    moreCount_other: "More than {{count, number}} verifications. A longer text finds fewer.",
    noneYet: "None among the newest 8,000. “More” looks further back; a period is faster.",
    shortCount_one:
      "{{count, number}} verification among the newest 8,000. Type three letters to search all.",
    shortCount_other:
      "{{count, number}} verifications among the newest 8,000. Type three letters to search all.",
    none: "No verification matches.",
    focus: "Go to the search field",
    down: "Move down the list",
    up: "Move up the list",
  },
});

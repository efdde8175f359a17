//! The attribute `#[test]` of `relicast-testing`.

use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

/// Registers a function as a test of the harness `relicast-testing`, under the name that the built-in
/// harness would use. `#[ignore = "reason"]` and `#[cfg(…)]` below it have their usual meaning.
#[proc_macro_attribute]
pub fn test(arguments: TokenStream, item: TokenStream) -> TokenStream {
    if !arguments.is_empty() {
        return error("`#[test]` takes no arguments");
    }
    let mut function = TokenStream::new();
    // Attributes that decide if the function exists; they apply to its registration too.
    let mut conditions = TokenStream::new();
    let mut ignored = "::core::option::Option::None".to_owned();
    let mut tokens = item.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let TokenTree::Punct(hash) = &token else {
            function.extend([token]);
            function.extend(tokens);
            break;
        };
        let Some(TokenTree::Group(attribute)) = tokens.next() else {
            return error("an attribute is incomplete");
        };
        match first_word(&attribute).as_deref() {
            Some("ignore") => ignored = ignore_reason(&attribute),
            word => {
                let attribute = [
                    TokenTree::Punct(hash.clone()),
                    TokenTree::Group(attribute.clone()),
                ];
                if word == Some("cfg") {
                    conditions.extend(attribute.clone());
                }
                function.extend(attribute);
            }
        }
    }
    let Some(name) = function_name(&function) else {
        return error("`#[test]` must be placed before a function");
    };
    let registration = format!(
        "::relicast_testing::inventory::submit! {{
            ::relicast_testing::Test {{
                module: ::core::module_path!(),
                name: \"{name}\",
                ignored: {ignored},
                run: || {{
                    crate::RELICAST_HARNESS;
                    ::relicast_testing::TestResult::check({name}())
                }},
            }}
        }}"
    );
    match registration.parse::<TokenStream>() {
        Ok(registration) => {
            function.extend(conditions);
            function.extend(registration);
            function
        }
        Err(why) => error(&why.to_string()),
    }
}

fn first_word(attribute: &Group) -> Option<String> {
    let is_attribute = attribute.delimiter() == Delimiter::Bracket;
    let first = attribute.stream().into_iter().next();
    first
        .filter(|_| is_attribute)
        .map(|token| token.to_string())
}

/// The reason of `#[ignore = "…"]`, as an expression.
fn ignore_reason(attribute: &Group) -> String {
    let literal = attribute.stream().into_iter().nth(2);
    let reason = literal.map_or("\"\"".to_owned(), |literal| literal.to_string());
    format!("::core::option::Option::Some({reason})")
}

/// The identifier after `fn`.
fn function_name(function: &TokenStream) -> Option<String> {
    let mut tokens = function.clone().into_iter();
    tokens.find(|token| matches!(token, TokenTree::Ident(word) if word.to_string() == "fn"))?;
    tokens.next().map(|name| name.to_string())
}

fn error(message: &str) -> TokenStream {
    format!("::core::compile_error!({message:?});")
        .parse()
        .unwrap_or_default()
}
